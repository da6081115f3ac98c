; Indices that are places in a plane, of which columns are far apart: the whole rows of a piece run tile by tile, what is before and behind
; them in rounds.
; RUN: weft-opt --passes='flatten-grid-strides,verify' -S %s | FileCheck %s

declare i64 @__weft_first_item(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_global_size(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @transposed(
; CHECK: piece:
; CHECK: %[[BEGIN:.*]] = select i1
; CHECK: %[[END:.*]] = select i1
; CHECK: %plane = and i1
; CHECK: %[[TILED:.*]] = select i1 %plane, i64 %{{.*}}, i64 %[[BEGIN]]
; CHECK: %[[BEHIND:.*]] = select i1 %plane, i64 %{{.*}}, i64 %[[BEGIN]]
; CHECK: br label %tiles
; CHECK: tiles:
; CHECK: %first.column = phi i64
; CHECK: %first.row = phi i64
; CHECK: call void @__weft_barrier()
; CHECK: br i1 %{{.*}}, label %tile, label %behind.tiles
; CHECK: tile:
; CHECK: %[[LOCAL:.*]] = call i64 @__weft_local_id(i32 0)
; CHECK: %[[COLUMN:.*]] = add nuw nsw i64 %first.column, %[[LOCAL]]
; CHECK: add nuw i64 %first.row, 64
; CHECK: %[[INSIDE:.*]] = icmp ult i64 %[[COLUMN]], 256
; CHECK: br i1 %[[INSIDE]], label %tile.row, label %next.tile
; CHECK: behind.tiles:
; CHECK: icmp ult i64 %[[BEGIN]], %[[TILED]]
; CHECK: %[[START:.*]] = select i1 %{{.*}}, i64 %[[BEGIN]], i64 %[[BEHIND]]
; CHECK: tile.row:
; CHECK: %row = phi i64 [ %first.row, %tile ], [ %[[NEXT:.*]], %next.tile.row ]
; CHECK: %[[ROW:.*]] = mul nuw nsw i64 %row, 256
; CHECK: %[[ID:.*]] = add nuw nsw i64 %[[ROW]], %[[COLUMN]]
; CHECK: br i1 %{{.*}}, label %head.tile, label %next.tile
; CHECK: next.tile.row:
; CHECK: %[[NEXT]] = add nuw nsw i64 %row, 1
; CHECK: br label %tile.row
; CHECK: rounds:
; CHECK: phi i64 [ %[[START]], %behind.tiles ]
; CHECK: %[[BEFORE:.*]] = icmp ult i64 %done, %[[TILED]]
; CHECK: select i1 %[[BEFORE]], i64 %[[TILED]], i64 %[[END]]
; CHECK: next:
; CHECK: select i1 %{{.*}}, i64 %[[BEHIND]], i64
; CHECK: head.tile:
; CHECK: br i1 true, label %body.tile, label %next.tile.row
; CHECK: body.tile:
; CHECK: mul i64 %[[COLUMN]], %height
; CHECK-NOT: {{lshr|and }}
; CHECK: getelementptr inbounds i32, ptr addrspace(1) %p, i64 %[[ID]]
; CHECK: br label %next.tile.row
define spir_kernel void @transposed(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %height, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %x = and i64 %i, 255
  %y = lshr i64 %i, 8
  %column = mul i64 %x, %height
  %at = add i64 %column, %y
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %at
  %read = load i32, ptr addrspace(1) %from
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i
  store i32 %read, ptr addrspace(1) %to
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

; Work-items that run one after the other; the number of columns is an argument.
; CHECK-LABEL: define spir_kernel void @scalars(
; CHECK: piece:
; CHECK: %[[FREEZE:.*]] = freeze i32 %width
; CHECK: %[[WIDTH:.*]] = zext i32 %[[FREEZE]] to i64
; CHECK: call i64 @llvm.umax.i64(i64 %[[WIDTH]], i64 1)
; CHECK: tile:
; CHECK: add nuw i64 %first.row, 8
define spir_kernel void @scalars(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %width, i32 %height, i32 %n) #1 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %start = trunc i64 %id to i32
  %range = call i64 @__weft_global_size(i32 0)
  %size = trunc i64 %range to i32
  br label %head
head:
  %i = phi i32 [ %start, %entry ], [ %sum, %body ]
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %x = urem i32 %i, %width
  %y = udiv i32 %i, %width
  %column = mul i32 %x, %height
  %at = add i32 %column, %y
  %index = zext i32 %at to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %index
  %read = load i32, ptr addrspace(1) %from
  %place = zext i32 %i to i64
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %place
  store i32 %read, ptr addrspace(1) %to
  %sum = add i32 %i, %size
  br label %head
exit:
  ret void
}

; Rows are far apart, too: these are read from end to end.
; CHECK-LABEL: define spir_kernel void @rows(
; CHECK: rounds:
; CHECK-NOT: tile
define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %pitch, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %id = add nuw i64 %first, %local
  %size = call i64 @__weft_global_size(i32 0)
  br label %head
head:
  %i = phi i64 [ %id, %entry ], [ %sum, %body ]
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %exit
body:
  %x = and i64 %i, 255
  %y = lshr i64 %i, 8
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %x
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %at
  %read = load i32, ptr addrspace(1) %from
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i
  store i32 %read, ptr addrspace(1) %to
  %sum = add i64 %i, %size
  br label %head
exit:
  ret void
}

attributes #0 = { "weft-coalesced-groups"="1" "weft-vector-width"="8" }
attributes #1 = { "weft-coalesced-groups"="1" "weft-vector-width"="1" }
