// SPDX-License-Identifier: MIT
// The kernels of examples/schedule: the kinds of work that PySchedCL's thesis measures, written anew. Matrices are stored by rows.
// The last dimension of a range goes over rows, so that neighbouring slabs of a kernel use neighbouring rows.

kernel void mean(global const float *data, global float *means, int n)
{
	const int column = get_global_id(0);
	float sum = 0;

	for (int row = 0; row < n; row++)
		sum += data[row * n + column];
	means[column] = sum / n;
}

kernel void deviation(global const float *data, global const float *means, global float *deviations, int n)
{
	const int column = get_global_id(0);
	float sum = 0;

	for (int row = 0; row < n; row++) {
		const float difference = data[row * n + column] - means[column];

		sum += difference * difference;
	}
	const float deviation = sqrt(sum / n);
	deviations[column] = deviation < 0.005f ? 1 : deviation;
}

kernel void centre(global const float *data, global const float *means, global float *centred, int n)
{
	const int column = get_global_id(0), row = get_global_id(1);

	centred[row * n + column] = data[row * n + column] - means[column];
}

kernel void normalise(global const float *data, global const float *means, global const float *deviations,
		      global float *normal, int n)
{
	const int column = get_global_id(0), row = get_global_id(1);

	normal[row * n + column] = (data[row * n + column] - means[column]) / (sqrt((float)n) * deviations[column]);
}

// The products of all pairs of columns: covariances of centred data, correlations of normal ones.
kernel void products(global const float *data, global float *result, int n, float scale)
{
	const int column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum += data[i * n + row] * data[i * n + column];
	result[row * n + column] = sum * scale;
}

kernel void reduce(global const float *data, global float *sums, local float *part)
{
	const int item = get_local_id(0);

	part[item] = data[get_global_id(0)];
	for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < step)
			part[item] += part[item + step];
	}
	if (item == 0)
		sums[get_group_id(0)] = part[0];
}

kernel void convolution_2d(global const float *in, global float *out, int n)
{
	const int x = get_global_id(0), y = get_global_id(1);

	if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
		return;
	global const float *at = in + y * n + x;
	out[y * n + x] = 0.2f * at[-n - 1] + 0.5f * at[-n] - 0.8f * at[-n + 1] - 0.3f * at[-1] + 0.6f * at[0] -
			 0.9f * at[1] + 0.4f * at[n - 1] + 0.7f * at[n] + 0.1f * at[n + 1];
}

kernel void convolution_3d(global const float *in, global float *out, int n)
{
	const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

	if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1)
		return;
	global const float *at = in + (z * n + y) * n + x;
	out[(z * n + y) * n + x] = 0.5f * at[0] + 0.1f * (at[-1] + at[1] + at[-n] + at[n] + at[-n * n] + at[n * n]);
}

// Rows of a matrix times a vector: neighbouring work-items read places that are n elements apart.
kernel void matrix_vector(global const float *matrix, global const float *vector, global float *result, int n)
{
	const int row = get_global_id(0);
	float sum = 0;

	for (int column = 0; column < n; column++)
		sum += matrix[row * n + column] * vector[column];
	result[row] = sum;
}

kernel void vector_matrix(global const float *matrix, global const float *vector, global float *result, int n)
{
	const int column = get_global_id(0);
	float sum = 0;

	for (int row = 0; row < n; row++)
		sum += matrix[row * n + column] * vector[row];
	result[column] = sum;
}

kernel void add_product(global float *result, global const float *matrix, global const float *vector, int n)
{
	const int row = get_global_id(0);
	float sum = 0;

	for (int column = 0; column < n; column++)
		sum += matrix[row * n + column] * vector[column];
	result[row] += sum;
}

kernel void gesummv(global const float *a, global const float *b, global const float *x, global float *y, int n,
		    float alpha, float beta)
{
	const int row = get_global_id(0);
	float sum_a = 0, sum_b = 0;

	for (int column = 0; column < n; column++) {
		sum_a += a[row * n + column] * x[column];
		sum_b += b[row * n + column] * x[column];
	}
	y[row] = alpha * sum_a + beta * sum_b;
}

kernel void gemm(global const float *a, global const float *b, global float *c, int n, float alpha, float beta)
{
	const int column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[row * n + i] * b[i * n + column];
	c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

kernel void syrk(global const float *a, global float *c, int n, float alpha, float beta)
{
	const int column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[row * n + i] * a[column * n + i];
	c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// One step of finite differences in the time domain: the two electric fields, then the magnetic one.
kernel void fdtd_electric(global float *ex, global float *ey, global const float *hz, int n)
{
	const int x = get_global_id(0), y = get_global_id(1), i = y * n + x;

	if (y > 0)
		ey[i] -= 0.5f * (hz[i] - hz[i - n]);
	if (x > 0)
		ex[i] -= 0.5f * (hz[i] - hz[i - 1]);
}

kernel void fdtd_magnetic(global const float *ex, global const float *ey, global float *hz, int n)
{
	const int x = get_global_id(0), y = get_global_id(1), i = y * n + x;

	if (x < n - 1 && y < n - 1)
		hz[i] -= 0.7f * (ex[i + 1] - ex[i] + ey[i + n] - ey[i]);
}
