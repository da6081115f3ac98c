/* SPDX-License-Identifier: MIT
 *
 * Boost.Compute: its algorithms on a device, against those of the C++ library.
 */
#include <boost/compute/algorithm/copy.hpp>
#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/partition.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>
#include <boost/compute/algorithm/transform.hpp>
#include <boost/compute/algorithm/unique.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/function.hpp>
#include <boost/compute/lambda.hpp>
#include <boost/compute/system.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

namespace compute = boost::compute;

static void check(bool right, const char *what)
{
	if (!right) {
		fprintf(stderr, "wrong: %s\n", what);
		exit(1);
	}
	printf("%s right\n", what);
}

template <typename T>
static std::vector<T> to_host(const compute::vector<T> &values, compute::command_queue &queue)
{
	std::vector<T> result(values.size());
	compute::copy(values.begin(), values.end(), result.begin(), queue);
	return result;
}

BOOST_COMPUTE_FUNCTION(bool, is_even, (int x), { return x % 2 == 0; });

int main()
{
	compute::device device = compute::system::default_device();
	compute::context context(device);
	compute::command_queue queue(context, device);
	std::mt19937 random(5);
	std::vector<int> host(100003);

	for (int &x : host)
		x = (int)(random() % 100000);
	compute::vector<int> values(host.begin(), host.end(), queue);
	int sum = 0;
	compute::reduce(values.begin(), values.end(), &sum, compute::plus<int>(), queue);
	check(sum == std::accumulate(host.begin(), host.end(), 0), "sum");

	compute::vector<int> scanned(host.size(), context);
	compute::exclusive_scan(values.begin(), values.end(), scanned.begin(), queue);
	std::vector<int> expected(host.size());
	std::partial_sum(host.begin(), host.end() - 1, expected.begin() + 1);
	check(to_host(scanned, queue) == expected, "scan");

	const auto even = compute::partition(values.begin(), values.end(), is_even, queue);
	check(even - values.begin() ==
		      std::count_if(host.begin(), host.end(), [](int x) { return x % 2 == 0; }),
	      "partition");

	compute::sort(values.begin(), values.end(), queue);
	expected = host;
	std::sort(expected.begin(), expected.end());
	check(to_host(values, queue) == expected, "sort");

	const auto end = compute::unique(values.begin(), values.end(), queue);
	expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
	check((size_t)(end - values.begin()) == expected.size(), "unique");

	std::vector<float> keys(20000);
	for (float &key : keys)
		key = (float)random() / 1e9f - 2;
	compute::vector<float> sorted_keys(keys.begin(), keys.end(), queue);
	compute::vector<int> numbers(keys.size(), context);
	std::vector<int> order(keys.size());
	std::iota(order.begin(), order.end(), 0);
	compute::copy(order.begin(), order.end(), numbers.begin(), queue);
	compute::sort_by_key(sorted_keys.begin(), sorted_keys.end(), numbers.begin(), queue);
	std::stable_sort(order.begin(), order.end(),
			 [&](int a, int b) { return keys[a] < keys[b]; });
	const std::vector<int> got = to_host(numbers, queue);
	bool right = true;
	for (size_t i = 0; i < order.size(); i++)
		right = right && keys[got[i]] == keys[order[i]];
	check(right, "sort by key");

	using compute::lambda::_1;
	compute::transform(sorted_keys.begin(), sorted_keys.end(), sorted_keys.begin(),
			   _1 * 2.0f + 1.0f, queue);
	const std::vector<float> doubled = to_host(sorted_keys, queue);
	right = true;
	for (size_t i = 0; i < order.size(); i++)
		right = right && std::abs(doubled[i] - (keys[order[i]] * 2 + 1)) < 1e-5f;
	check(right, "transform");
	return 0;
}
