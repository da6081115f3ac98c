; Ids that are places in a plane, of which columns are far apart where it is read: the whole rows of a run go tile by tile, what is before and
; behind them as ever.
; RUN: weft-opt --passes='interchange-items,verify' -S %s | FileCheck %s

declare i64 @__weft_first_item(i32) nounwind willreturn memory(none)
declare i64 @__weft_local_id(i32) nounwind willreturn memory(none)
declare i64 @__weft_global_offset(i32) nounwind willreturn memory(none)

; CHECK-LABEL: define spir_kernel void @transposed(
; CHECK: choice:
; CHECK: %[[BEGIN:.*]] = add nuw i64
; CHECK: %[[END:.*]] = add nuw i64 %[[BEGIN]],
; CHECK: %[[FIT:.*]] = icmp ult i64 %[[END]], 2147483648
; CHECK: select i1 %[[FIT]], i64 %[[END]], i64 %[[BEGIN]]
; CHECK: %plane = and i1
; CHECK: %[[TILED:.*]] = select i1 %plane, i64 %{{.*}}, i64 %[[BEGIN]]
; CHECK: %[[BEHIND:.*]] = select i1 %plane, i64 %{{.*}}, i64 %[[BEGIN]]
; CHECK: br label %tiles
; CHECK: tiles:
; CHECK: call void @__weft_barrier()
; CHECK: br i1 %{{.*}}, label %tile, label %behind.tiles
; CHECK: tile:
; CHECK: %[[LOCAL:.*]] = call i64 @__weft_local_id(i32 0)
; CHECK: %[[COLUMN:.*]] = add nuw nsw i64 %first.column, %[[LOCAL]]
; CHECK: br i1 %inside, label %tile.row, label %next.tile
; CHECK: behind.tiles:
; CHECK: icmp ult i64 %[[BEGIN]], %[[TILED]]
; CHECK: %[[FIRST:.*]] = select i1 %{{.*}}, i64 %[[BEGIN]], i64 %[[BEHIND]]
; CHECK: tile.row:
; CHECK: %row = phi i64 [ %first.row, %tile ], [ %[[NEXTROW:.*]], %next.tile.row ]
; CHECK: %[[START:.*]] = mul nuw nsw i64 %row, 256
; CHECK: %[[ID:.*]] = add nuw nsw i64 %[[START]], %[[COLUMN]]
; CHECK: br i1 %{{.*}}, label %[[COPY:.*]], label %next.tile
; CHECK: next.tile.row:
; CHECK: %[[NEXTROW]] = add nuw nsw i64 %row, 1
; CHECK: br label %tile.row
; CHECK: rest:
; CHECK: %start = phi i64 [ %[[FIRST]], %behind.tiles ], [ %[[NEXT:.*]], %next ]
; CHECK: call void @__weft_barrier()
; CHECK: %[[BEFORE:.*]] = icmp ult i64 %start, %[[TILED]]
; CHECK: %[[LAST:.*]] = select i1 %[[BEFORE]], i64 %[[TILED]], i64 %[[END]]
; CHECK: icmp ult i64 %start, %[[LAST]]
; CHECK: br i1 %{{.*}}, label %item, label %exit{{[0-9]*}}{{$}}
; CHECK: item:
; CHECK: %[[PLACE:.*]] = call i64 @__weft_local_id(i32 0)
; CHECK: br i1 %{{.*}}, label %entry, label %next
; CHECK: entry:
; CHECK: body:
; CHECK: and i64 %{{.*}}, 255
; CHECK: [[COPY]]:
; CHECK: icmp ult i64 %[[ID]], %n
; CHECK: br i1 %{{.*}}, label %body.tile, label %exit.tile
; CHECK: body.tile:
; CHECK: mul i64 %[[COLUMN]], %height
; CHECK: add i64 %{{.*}}, %row
; CHECK: getelementptr inbounds i32, ptr addrspace(1) %p, i64 %[[ID]]
; CHECK: exit.tile:
; CHECK-NEXT: br label %next.tile.row
; CHECK: next:
; CHECK: %[[NEXT]] = select i1 %[[BEFORE]], i64 %[[BEHIND]], i64 %[[END]]
; CHECK: br label %rest
define spir_kernel void @transposed(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %height, i64 %n) #0 {
entry:
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %guard = icmp ult i64 %id, %n
  br i1 %guard, label %body, label %exit
body:
  %x = and i64 %id, 255
  %y = lshr i64 %id, 8
  %column = mul i64 %x, %height
  %at = add i64 %column, %y
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %at
  %read = load i32, ptr addrspace(1) %from
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %id
  store i32 %read, ptr addrspace(1) %to
  br label %exit
exit:
  ret void
}

; The number of columns is computed where the kernel begins.
; CHECK-LABEL: define spir_kernel void @argument(
; CHECK: choice:
; CHECK: %[[DIVISOR:.*]] = select i1
; CHECK: %[[FREEZE:.*]] = freeze i32 %[[DIVISOR]]
; CHECK: %[[WIDE:.*]] = zext i32 %[[FREEZE]] to i64
; CHECK: %[[WIDTH:.*]] = call i64 @llvm.umax.i64(i64 %[[WIDE]], i64 1)
; CHECK: tile:
; CHECK: tile.row:
; CHECK: mul nuw nsw i64 %row, %[[WIDTH]]
define spir_kernel void @argument(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %width, i32 %height) #0 {
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %i = trunc i64 %id to i32
  %none = icmp eq i32 %width, 0
  %divisor = select i1 %none, i32 1, i32 %width
  %x = urem i32 %i, %divisor
  %y = udiv i32 %i, %divisor
  %column = mul i32 %x, %height
  %at = add i32 %column, %y
  %index = zext i32 %at to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %index
  %read = load i32, ptr addrspace(1) %from
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %id
  store i32 %read, ptr addrspace(1) %to
  ret void
}

; Rows are far apart, too: they are read from end to end.
; CHECK-LABEL: define spir_kernel void @rows(
; CHECK-NOT: tile
define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %pitch) #0 {
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %x = and i64 %id, 255
  %y = lshr i64 %id, 8
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %x
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %at
  %read = load i32, ptr addrspace(1) %from
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %id
  store i32 %read, ptr addrspace(1) %to
  ret void
}

; A volume: its layers would be in each tile.
; CHECK-LABEL: define spir_kernel void @layers(
; CHECK-NOT: tile
define spir_kernel void @layers(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %height, i64 %size) #0 {
  %first = call i64 @__weft_first_item(i32 0)
  %local = call i64 @__weft_local_id(i32 0)
  %place = add nuw i64 %first, %local
  %offset = call i64 @__weft_global_offset(i32 0)
  %id = add nuw i64 %place, %offset
  %layer = call i64 @__weft_local_id(i32 1)
  %x = and i64 %id, 255
  %y = lshr i64 %id, 8
  %column = mul i64 %x, %height
  %at = add i64 %column, %y
  %start = mul i64 %layer, %size
  %within = add i64 %start, %at
  %from = getelementptr inbounds i32, ptr addrspace(1) %q, i64 %within
  %read = load i32, ptr addrspace(1) %from
  %place.to = add i64 %start, %id
  %to = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %place.to
  store i32 %read, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "weft-coalesced-groups"="1" "weft-vector-width"="8" }
