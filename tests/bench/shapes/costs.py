#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Whether the compiler's costs of lanes foresee what generated kernels take: costs.py [--seed N] [--count N].

Each kernel runs at several vector widths on one thread. The compiler says in its log what it takes lanes to cost, and
work-items one by one. Printed: the rank correlation of gains foreseen and measured, over all kernels and widths and by kind;
what its choice loses beside the best width; and the kernels in which it is most wrong.
"""
import argparse
import collections
import pathlib
import re
import tempfile

import drivers
import kinds
import report

ROOT = pathlib.Path(__file__).resolve().parents[3]
COSTS = re.compile(r"(\d+) lanes cost (\d+), one by one (\d+)")
WIDTHS = (1, 4, 8, 16, 32)
FIRST_ATTEMPTS = 3


def ranks(numbers):
    """The rank of each number; equal ones share the mean of theirs."""
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    result = [0.0] * len(numbers)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and numbers[order[last + 1]] == numbers[order[first]]:
            last += 1
        for place in order[first:last + 1]:
            result[place] = (first + last) / 2
        first = last + 1
    return result


def rank_correlation(pairs):
    """Spearman's, of pairs of numbers; None of too few."""
    if len(pairs) < 3:
        return None
    left, right = (ranks([pair[side] for pair in pairs]) for side in (0, 1))
    middle = (len(pairs) - 1) / 2
    covariance = sum((a - middle) * (b - middle) for a, b in zip(left, right))
    spreads = [sum((a - middle) ** 2 for a in side) for side in (left, right)]
    return covariance / (spreads[0] * spreads[1]) ** 0.5 if all(spreads) else None


def processes(arguments, folder):
    """A process per width, and one that chooses."""
    always = "WEFT_THREADS=1,WEFT_TIER=full,WEFT_SPECIALISE=0,WEFT_CACHE=0,WEFT_LOG=compiler=debug"
    widths = {width: f"w{width}={arguments.weft},WEFT_VECTOR_WIDTH={width},{always}" for width in WIDTHS}
    widths[0] = f"chosen={arguments.weft},{always}"
    return {width: drivers.Process(drivers.Driver(text), folder) for width, text in widths.items()}


def foreseen(log, start, width):
    """What the compiler has said since then of so many lanes: by how much they gain, or None."""
    text = log.read_text()[start:]
    sums = [(int(wide), int(scalar)) for lanes, wide, scalar in COSTS.findall(text) if int(lanes) == width]
    wide = sum(wide for wide, _ in sums)
    return sum(scalar for _, scalar in sums) / wide if wide else None


def measure(shape, all_processes, folder, arguments):
    """{width: (gain foreseen, seconds)}; width 0 is the choice."""
    result = {}
    for width, process in all_processes.items():
        log = pathlib.Path(folder) / f"log.{process.driver.name}"
        start = len(log.read_text()) if log.exists() else 0
        process.ask("open", shape.name, arguments.scale, str(pathlib.Path(folder) / "results.npy"), False)
        seconds = min(process.ask("turn", 0.01, arguments.real_time)["seconds"] for _ in range(FIRST_ATTEMPTS))
        process.ask("close")
        result[width] = (foreseen(log, start, width), seconds)
    return result


def gains(measured):
    """(foreseen, measured) of each width beside single work-items."""
    alone = measured[1][1]
    return [(gain, alone / seconds) for width, (gain, seconds) in measured.items() if width > 1 and gain]


def by_kind(results):
    rows = [["dimension", "value", "pairs", "rank correlation", "choice / best"]]
    for dimension in ("element", "access", "flow", "kind_of_work"):
        groups = collections.defaultdict(list)
        for shape, measured in results:
            groups[getattr(shape, dimension)].append(measured)
        for value, group in sorted(groups.items()):
            pairs = [pair for measured in group for pair in gains(measured)]
            correlation = rank_correlation(pairs)
            rows.append([dimension, value, len(pairs), "" if correlation is None else f"{correlation:.2f}",
                         f"{report.mean(loss(measured) for measured in group):.2f}"])
    return rows


def loss(measured):
    """What the choice takes, divided by what the best width takes."""
    return measured[0][1] / min(seconds for _, seconds in measured.values())


def worst(results, count):
    rows = [["kernel", "choice / best", *(f"w{width}, ms (foreseen)" for width in WIDTHS), "chosen, ms"]]
    for shape, measured in sorted(results, key=lambda result: -loss(result[1]))[:count]:
        cells = [f"{1e3 * measured[width][1]:.3f}" + (f" ({measured[width][0]:.2f})" if measured[width][0] else "")
                 for width in WIDTHS]
        rows.append([shape.name, f"{loss(measured):.2f}", *cells, f"{1e3 * measured[0][1]:.3f}"])
    return rows


def parse():
    parser = argparse.ArgumentParser(description="The compiler's costs of lanes beside measured times.")
    parser.add_argument("--weft", default=str(ROOT / "build/release/vendors"), help="vendors folder of Weft's build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--scale", type=int, default=4, help="divides the number of work-items")
    parser.add_argument("--real-time", action="store_true", help="other work waits while times are taken; asks for rights")
    return parser.parse_args()


def main():
    arguments = parse()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        all_processes = processes(arguments, folder)
        try:
            for shape in kinds.sample(arguments.seed, arguments.count):
                try:
                    results.append((shape, measure(shape, all_processes, folder, arguments)))
                except drivers.Failed as failed:
                    print(f"{shape.name}: {failed}")
        finally:
            for process in all_processes.values():
                process.end()
    pairs = [pair for _, measured in results for pair in gains(measured)]
    losses = [loss(measured) for _, measured in results]
    print(f"{len(results)} kernels, {len(pairs)} kernels at widths: rank correlation {rank_correlation(pairs) or 0:.3f}; "
          f"choice / best width {report.mean(losses):.3f} in the mean, {max(losses, default=1):.2f} at worst, "
          f"over 1.10 in {sum(value > 1.1 for value in losses)}\n")
    print(report.table(by_kind(results)) + "\n")
    print(report.table(worst(results, 20)))


if __name__ == "__main__":
    main()
