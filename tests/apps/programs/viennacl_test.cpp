/* SPDX-License-Identifier: MIT
 *
 * ViennaCL: dense and sparse linear algebra and solvers on a device, against plain loops.
 */
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/linalg/gmres.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

enum { SIZE = 150, GRID = 40 };

typedef std::vector<std::vector<double>> host_matrix;

static void check(bool right, const char *what)
{
	if (!right) {
		fprintf(stderr, "wrong: %s\n", what);
		exit(1);
	}
	printf("%s right\n", what);
}

static double difference(const std::vector<double> &a, const std::vector<double> &b)
{
	double most = 0;

	for (size_t i = 0; i < a.size(); i++)
		most = std::fmax(most, std::fabs(a[i] - b[i]));
	return most;
}

static std::vector<double> to_host(const viennacl::vector<double> &values)
{
	std::vector<double> result(values.size());

	viennacl::copy(values, result);
	return result;
}

static void dense(std::mt19937 &random)
{
	std::uniform_real_distribution<double> uniform(-1, 1);
	host_matrix a(SIZE, std::vector<double>(SIZE)), c(a), expected(a);
	std::vector<double> x(SIZE), product(SIZE);
	viennacl::matrix<double> device_a(SIZE, SIZE), device_c(SIZE, SIZE);
	viennacl::vector<double> device_x(SIZE);

	for (int i = 0; i < SIZE; i++) {
		x[i] = uniform(random);
		for (int j = 0; j < SIZE; j++)
			a[i][j] = uniform(random) + (i == j ? 20 : 0);
	}
	viennacl::copy(a, device_a);
	viennacl::copy(x, device_x);
	for (int i = 0; i < SIZE; i++) {
		for (int j = 0; j < SIZE; j++) {
			product[i] += a[i][j] * x[j];
			for (int k = 0; k < SIZE; k++)
				expected[i][j] += a[i][k] * a[k][j];
		}
	}
	viennacl::vector<double> device_product = viennacl::linalg::prod(device_a, device_x);
	check(difference(to_host(device_product), product) < 1e-10, "matrix times vector");
	device_c = viennacl::linalg::prod(device_a, device_a);
	viennacl::copy(device_c, c);
	double most = 0;
	for (int i = 0; i < SIZE; i++)
		most = std::fmax(most, difference(c[i], expected[i]));
	check(most < 1e-9, "matrix times matrix");

	const viennacl::vector<double> solved =
		viennacl::linalg::solve(device_a, device_product, viennacl::linalg::upper_tag());
	std::vector<double> upper(SIZE);
	for (int i = SIZE - 1; i >= 0; i--) {
		upper[i] = product[i];
		for (int j = i + 1; j < SIZE; j++)
			upper[i] -= a[i][j] * upper[j];
		upper[i] /= a[i][i];
	}
	check(difference(to_host(solved), upper) < 1e-10, "triangle");

	double norm = 0;
	for (double value : x)
		norm += value * value;
	check(std::fabs((double)viennacl::linalg::norm_2(device_x) - std::sqrt(norm)) < 1e-12,
	      "norm");
	check(std::fabs((double)viennacl::linalg::inner_prod(device_x, device_x) - norm) < 1e-12,
	      "inner product");
}

/* The differences of a grid's neighbours. */
static void sparse()
{
	std::vector<std::map<unsigned, double>> rows(GRID * GRID);
	std::vector<double> ones(GRID * GRID, 1.0);
	viennacl::compressed_matrix<double> matrix(GRID * GRID, GRID * GRID);
	viennacl::vector<double> right(GRID * GRID);

	for (unsigned i = 0; i < GRID * GRID; i++) {
		rows[i][i] = 4;
		if (i % GRID > 0)
			rows[i][i - 1] = -1;
		if (i % GRID < GRID - 1)
			rows[i][i + 1] = -1;
		if (i >= GRID)
			rows[i][i - GRID] = -1;
		if (i < GRID * (GRID - 1))
			rows[i][i + GRID] = -1;
	}
	viennacl::copy(rows, matrix);
	viennacl::copy(ones, right);
	const viennacl::vector<double> by_cg =
		viennacl::linalg::solve(matrix, right, viennacl::linalg::cg_tag(1e-10, 1000));
	const viennacl::vector<double> again = viennacl::linalg::prod(matrix, by_cg);
	check(difference(to_host(again), ones) < 1e-7, "conjugate gradients");
	const viennacl::vector<double> by_gmres = viennacl::linalg::solve(
		matrix, right, viennacl::linalg::gmres_tag(1e-10, 1000, 60));
	check(difference(to_host(by_gmres), to_host(by_cg)) < 1e-5, "GMRES");
}

int main()
{
	std::mt19937 random(5);

	dense(random);
	sparse();
	return 0;
}
