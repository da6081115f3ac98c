#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trace_picture.py [-q COUNT] TRACE.json >PICTURE.svg: draws a trace that WEFT_TRACE wrote.

Shows the commands of the last COUNT queues (1), and what threads did in that time: above, a lane per thread; below, a row
per command of each queue, thin while it waited, with arrows from the command that ended last to what could begin by it.
"""
import argparse
import collections
import html
import json

WIDTH = 1000
LEFT = 110  # of the time axis
RIGHT = 12
LANE = 26
ROW = 13  # of a command in its queue
BAR = 8
COLORS = ["#9c755f", "#f28e2b", "#4e79a7", "#b07aa1", "#3a8f5c", "#d4604f", "#5f6b7a", "#a08a1c"]

Slice = collections.namedtuple("Slice", "lane start end name command")
Span = collections.namedtuple("Span", "queue waits start end name command")


def read_slices(events):
    """What threads worked on."""
    slices, open_slices = [], collections.defaultdict(list)
    for event in events:
        lane = event.get("tid")
        if event["ph"] == "B":
            command = event.get("args", {}).get("command")
            open_slices[lane].append((event["ts"], event["name"], command))
        elif event["ph"] == "E":
            start, name, command = open_slices[lane].pop()
            slices.append(Slice(lane, start, event["ts"], name, command))
    return slices


def read_spans(events):
    """The commands of queues."""
    times = collections.defaultdict(dict)
    names, queues = {}, {}
    for event in events:
        if event["ph"] in "be" and event.get("cat") == "queue":
            waits = event["name"] == "waits"
            times[event["id"]][event["ph"] + ("w" if waits else "r")] = event["ts"]
            queues[event["id"]] = event["pid"]
            if not waits:
                names[event["id"]] = event["name"]
    return [
        Span(queues[id], at["bw"], at["br"], at["er"], names[id], id)
        for id, at in sorted(times.items())
        if "er" in at
    ]


def read_arrows(events, slices):
    """Pairs of commands; what began an arrow is the one that the thread had just left."""
    arrows = []
    for event in events:
        if event["ph"] == "s" and event["cat"] == "ready":
            before = [s for s in slices if s.lane == event["tid"] and s.start <= event["ts"] <= s.end and s.command]
            arrows += [(before[-1].command, event["id"])] if before else []
    return arrows


class Picture:
    def __init__(self, start, end, names):
        self.start, self.end = start, end
        self.colors = {name: COLORS[i % len(COLORS)] for i, name in enumerate(names)}
        self.parts = []
        self.rows = {}
        self.y = 32

    def x(self, time):
        share = (time - self.start) / (self.end - self.start)
        return LEFT + max(0, min(1, share)) * (WIDTH - LEFT - RIGHT)

    def text(self, x, y, text, attributes=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{html.escape(text)}</text>')

    def bar(self, start, end, y, height, name):
        x, width = self.x(start), max(self.x(end) - self.x(start), 0.8)
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" fill="{self.colors[name]}">'
            f"<title>{html.escape(name)}: {end - start:.1f} us</title></rect>"
        )
        if height > BAR and width > 6.5 * len(name):
            self.text(x + width / 2, y + height / 2 + 4, name, 'fill="white" text-anchor="middle"')

    def line(self, x1, y1, x2, y2, style):
        self.parts.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" {style}/>')

    def axis(self, bottom):
        step = 1
        while (self.end - self.start) / step > 12:
            step *= 2.5 if str(step)[0] == "2" else 2
        unit, name = (1000, "ms") if step >= 250 else (1, "us")
        time = 0
        while self.start + time <= self.end:
            x = self.x(self.start + time)
            self.line(x, 22, x, bottom, 'stroke="#ddd"')
            self.text(x, 16, f"{time / unit:g} {name}", 'fill="#666" text-anchor="middle"')
            time += step

    def threads(self, names, slices):
        lanes = {}
        for lane in dict.fromkeys(s.lane for s in sorted(slices, key=lambda s: s.start)):
            lanes[lane] = self.y
            name = names[lane] if names[lane].startswith("weft") else "application"
            self.text(LEFT - 8, self.y + LANE / 2 + 4, name, 'text-anchor="end"')
            self.y += LANE + 6
        for s in slices:
            self.bar(s.start, s.end, lanes[s.lane], LANE, s.name)
        self.y += 14

    def arrow(self, before, after):
        x1, y1 = self.x(before.end), self.rows[before.command]
        x2, y2 = self.x(after.start), self.rows[after.command]
        down = y2 > y1
        y1, y2 = y1 + (BAR if down else 0), y2 + (0 if down else BAR)
        middle = (y1 + y2) / 2
        self.parts.append(
            f'<path d="M{x1:.1f} {y1}C{x1:.1f} {middle} {x2:.1f} {middle} {x2:.1f} {y2}" class="a"/>'
        )

    def queue(self, name, spans):
        self.text(LEFT - 8, self.y + 10, name.split(",")[0], 'text-anchor="end"')
        self.text(LEFT - 8, self.y + 23, name.split(",")[1].strip(), 'text-anchor="end" fill="#666"')
        for span in spans:
            middle = self.y + BAR / 2
            self.line(self.x(span.waits), middle, self.x(span.start), middle, 'stroke="#aaa"')
            self.bar(span.start, span.end, self.y, BAR, span.name)
            self.rows[span.command] = self.y
            self.y += ROW
        self.y += 14

    def legend(self):
        x = LEFT
        for name, color in self.colors.items():
            self.parts.append(f'<rect x="{x}" y="{self.y}" width="10" height="10" fill="{color}"/>')
            self.text(x + 15, self.y + 9, name)
            x += 32 + 6.2 * len(name)
        self.y += 20

    def print(self):
        print(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y}" font-family="sans-serif"'
            ' font-size="11"><style>.a{fill:none;stroke:#333;stroke-width:.8;marker-end:url(#e)}</style>'
            '<marker id="e" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto">'
            '<path d="M0 0L6 3L0 6z" fill="#333"/></marker><rect width="100%" height="100%" fill="white"/>'
        )
        print("\n".join(self.parts))
        print("</svg>")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-q", type=int, default=1, metavar="COUNT", help="queues (1)")
    parser.add_argument("trace")
    options = parser.parse_args()
    with open(options.trace) as file:
        events = json.load(file)
    # not rows of simulated time
    threads = {e["tid"]: e["args"]["name"] for e in events if e.get("name") == "thread_name" and e["pid"] == 1}
    processes = {e["pid"]: e["args"]["name"] for e in events if e.get("name") == "process_name"}
    spans = read_spans(events)
    queues = sorted({span.queue for span in spans})[-options.q :]
    spans = [span for span in spans if span.queue in queues]
    commands = {span.command for span in spans}
    start, end = min(span.waits for span in spans), max(span.end for span in spans)
    slices = [s for s in read_slices(events) if s.command in commands]
    by_number = {span.command: span for span in spans}

    picture = Picture(start, end, dict.fromkeys(span.name for span in spans))
    picture.threads(threads, slices)
    for queue in queues:
        picture.queue(processes[queue], [span for span in spans if span.queue == queue])
    for before, after in read_arrows(events, slices):
        if before in commands and after in commands:
            picture.arrow(by_number[before], by_number[after])
    bottom = picture.y - 8
    bars, picture.parts = picture.parts, []
    picture.axis(bottom)
    picture.parts += bars
    picture.legend()
    picture.print()


main()
