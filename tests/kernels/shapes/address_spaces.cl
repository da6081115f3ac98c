/* SPDX-License-Identifier: MIT
 *
 * Shapes: memory by pointers of one space or another, where a wrong word about two of them shows. Part of widen_shapes.cl.
 */
KERNEL(generic_pointers)
{
	FLAT
	int own = a[i] & 255;
	t[l] = l;
	out[i] = i;
	for (int k = 0; k < 4; k++) {
		uint which = (uint)(a[i] + k) % 3;
		generic int *p = which == 0 ? (generic int *)&own
				 : which == 1 ? (generic int *)(t + l)
					      : (generic int *)(out + i);
		*p += own + t[l] - out[i] + k;
	}
	out[i] += 3 * own + 5 * t[l];
}

KERNEL(pointers_as_integers)
{
	FLAT
	ulong g = (ulong)(out + i), m = (ulong)(t + l);
	out[i] = a[i];
	t[l] = l;
	for (int k = 0; k < 3; k++) {
		*(global int *)g += t[l] + k;
		*(local int *)m += out[i] & 7;
	}
	out[i] += t[l];
}

union place {
	global int *to;
	ulong bits;
};

KERNEL(pointers_in_union)
{
	FLAT
	union place p;
	p.to = out;
	p.bits += (ulong)i * sizeof(int);
	t[l] = a[i];
	out[i] = 1;
	for (int k = 0; k < 3; k++) {
		*p.to += t[l];
		t[l] = out[i] - k;
	}
}

/* A variable that lives across barriers, and that only a generic pointer changes. */
KERNEL(spilled_by_pointer)
{
	FLAT
	int own[2] = {a[i], l};
	generic int *p = own + (a[i] & 1);
	t[l] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	*p += t[(l + 1) % L];
	own[0] ^= 5;
	barrier(CLK_LOCAL_MEM_FENCE);
	t[l] = *p + own[1];
	*p = own[0] - t[l];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = t[(l + 1) % L] + own[0] * 3 + own[1];
}

/* What the loops load from one place does not change by what they store. */
KERNEL(one_place_beside_stores)
{
	FLAT
	t[L + l] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < n && k < 5; k++)
		t[l] = (k ? t[l] : 0) + big[0] % 100 * k;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < 4; k++)
		out[4 * i + k] = t[L] + t[l] + k;
}
