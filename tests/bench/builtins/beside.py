#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What built-in functions cost per value on one core on Weft and on other drivers: beside.py [NAME=VENDORS[,VARIABLE=VALUE]…]

Drivers are as for shapes.py; Weft's build is the first column unless the first one named is `weft`. Each has its own process, stopped
while another one has its turn. Where a driver fails, its column is empty, and standard error says how.
"""
import argparse
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent / "shapes"))
import drivers  # noqa: E402
import report  # noqa: E402
from functions import ACCESSES, functions  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(description="Nanoseconds per value of built-in functions, on several drivers.")
    parser.add_argument("drivers", nargs="*", help="NAME=VENDORS[,VARIABLE=VALUE]...")
    parser.add_argument("-k", "--names", help="only these functions, with commas between them")
    parser.add_argument("--types", default="float,double")
    parser.add_argument("--access", default="plain", choices=sorted(ACCESSES))
    parser.add_argument("-n", "--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.01, help="of a turn")
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)), help="all processes run on this one")
    parser.add_argument("--real-time", action="store_true", help="other work waits while times are taken; asks for rights")
    parser.add_argument("--forms", default=",native_", help="prefixes of the names, with commas between them")
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def all_drivers(texts):
    found = [drivers.Driver(text) for text in texts]
    if not found or found[0].name != "weft":
        found.insert(0, drivers.Driver(f"weft={ROOT / 'build/release/vendors'},WEFT_TIER=full"))
    return found


def ask(process, case, *request):
    """The answer; None, and how on standard error, where the process has failed."""
    try:
        return process.ask(*request)
    except drivers.Failed as failed:
        print(f"{process.driver.name}: {case}: {failed}", file=sys.stderr)
        return None


def measure(processes, arguments, *case):
    """{driver: seconds}, the least of all turns."""
    times = {}
    opened = [process for process in processes if ask(process, case, "open", *case)]
    for _ in range(arguments.turns):
        for process in opened:
            answer = ask(process, case, "turn", arguments.seconds, arguments.real_time)
            if answer:
                name = process.driver.name
                times[name] = min(times.get(name, answer["seconds"]), answer["seconds"])
    return times


def row_of(title, kind, times, names):
    others = [times[name] for name in names[1:] if name in times]
    ratio = min(others) / times[names[0]] if others and names[0] in times else None
    return ratio, [title, kind, *(f"{1e9 * times[name]:.3f}" if name in times else "" for name in names),
                   f"{ratio:.2f}" if ratio else ""]


def main():
    arguments = parse()
    os.sched_setaffinity(0, {arguments.cpu})
    ratios = []
    wanted = arguments.names.split(",") if arguments.names else None
    with tempfile.TemporaryDirectory() as folder:
        processes = [drivers.Process(driver, folder, HERE / "beside_measured.py") for driver in all_drivers(arguments.drivers)]
        names = [process.driver.name for process in processes]
        head = ["function", "type", *names, f"best other / {names[0]}"]
        print(" | ".join(head) if not arguments.markdown else report.table([head]), flush=True)
        try:
            for function in functions():
                if wanted and function.name not in wanted:
                    continue
                for kind in arguments.types.split(","):
                    for form in arguments.forms.split(","):
                        if form == "native_" and not (function.has_native and kind == "float"):
                            continue
                        times = measure(processes, arguments, function.name, form, kind, arguments.access)
                        ratio, row = row_of(form + function.name, kind, times, names)
                        ratios.append((ratio, row))
                        print(" | ".join(row), flush=True)
        finally:
            for process in processes:
                process.end()
    known = [ratio for ratio, _ in ratios if ratio]
    print(f"\n{len(known)} functions: best other / {names[0]} {report.mean(known):.2f} in the geometric mean; "
          f"{sum(ratio < report.BEHIND for ratio in known)} behind by over 10 %")


if __name__ == "__main__":
    main()
