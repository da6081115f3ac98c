# SPDX-License-Identifier: MIT
"""What a run says: means, kinds in which the first driver is behind, kernels by name, results that differ."""
import collections
import math

import kinds

BEHIND, FAR_BEHIND = 1 / 1.10, 1 / 1.25  # the best other's time divided by the first driver's


def mean(numbers):
    """The geometric mean."""
    numbers = list(numbers)
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else math.nan


def best_other(record):
    """The least time of another driver, with its name, or None."""
    first, *others = record["drivers"].items()
    times = [(times["best"], name) for name, times in others if times.get("best")]
    return min(times) if times and first[1].get("best") else None


def ratio(record):
    """The best other driver's time divided by the first one's, or None."""
    other = best_other(record)
    return other and other[0] / next(iter(record["drivers"].values()))["best"]


def _count_behind(ratios):
    return sum(value < BEHIND for value in ratios), sum(value < FAR_BEHIND for value in ratios)


def summary(records):
    """The first driver beside each other one and beside the best of them."""
    names = list(records[0]["drivers"])
    rows = [["", "kernels", "best time / first's", "first launch", "build and first launch", ">10 % behind", ">25 % behind"]]
    for name in names[1:]:
        pairs = [(record["drivers"][names[0]], record["drivers"][name]) for record in records]
        pairs = [(first, other) for first, other in pairs if first.get("best") and other.get("best")]
        ratios = [other["best"] / first["best"] for first, other in pairs]
        behind = _count_behind(ratios)
        rows.append([f"{name} / {names[0]}", len(pairs), f"{mean(ratios):.2f}",
                     f"{mean(other['first'] / first['first'] for first, other in pairs):.2f}",
                     f"{mean((other['first'] + other['build']) / (first['first'] + first['build']) for first, other in pairs):.2f}",
                     *behind])
    ratios = [value for value in map(ratio, records) if value]
    rows.append([f"best other / {names[0]}", len(ratios), f"{mean(ratios):.2f}", "", "", *_count_behind(ratios)])
    return rows


def first_launches(records):
    """How much longer the first launch takes than the best one, per driver."""
    rows = [["driver", "build, ms", "first launch, ms", "first launch / best"]]
    for name in records[0]["drivers"]:
        times = [record["drivers"][name] for record in records if record["drivers"][name].get("best")]
        rows.append([name, f"{1e3 * mean(time['build'] for time in times):.0f}",
                     f"{1e3 * mean(time['first'] for time in times):.2f}",
                     f"{mean(time['first'] / time['best'] for time in times):.1f}"])
    return rows


def by_kind(records):
    """Each dimension's values, those with most kernels behind first."""
    rows = [["dimension", "value", "kernels", "geometric mean", ">10 % behind", ">25 % behind"]]
    for dimension in (*kinds.DIMENSIONS, "kind_of_work"):
        if dimension == "work":
            continue
        groups = collections.defaultdict(list)
        for record in records:
            value = ratio(record)
            if value:
                groups[getattr(kinds.shape_of(record["name"]), dimension)].append(value)
        ordered = sorted(groups.items(), key=lambda item: (-_count_behind(item[1])[0] / len(item[1]), mean(item[1])))
        rows += [[dimension, value, len(ratios), f"{mean(ratios):.2f}", *_count_behind(ratios)]
                 for value, ratios in ordered]
    return rows


def behind(records):
    """Records in which the first driver is more than 10 % slower than the best other, the farthest first."""
    return sorted((record for record in records if (ratio(record) or 1) < BEHIND), key=ratio)


def kernels(records):
    names = list(records[0]["drivers"])
    rows = [["kernel", "best other / first", *(f"{name}, ms" for name in names)]]
    for record in records:
        times = [record["drivers"][name] for name in names]
        value = ratio(record)
        rows.append([record["name"], f"{value:.2f}" if value else "",
                     *(f"{1e3 * time['best']:.3f}" if time.get("best") else time.get("failed", "").splitlines()[0][:40]
                       for time in times)])
    return rows


def differing(records):
    """Lines about results that differ, and kernels that failed."""
    for record in records:
        for name, times in record["drivers"].items():
            if times.get("failed", "none") != "none":
                yield f"{name} failed in {record['name']}: {times['failed'].splitlines()[0]}"
        if record.get("differs"):
            yield f"results differ in {record['name']}: {record['differs']}"


def table(rows):
    """Markdown of rows of cells, the first of them the heads."""
    head, *body = [[str(cell) for cell in row] for row in rows]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body])
