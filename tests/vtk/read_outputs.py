#!/usr/bin/env python3
"""Reads what mpcd runs leave, with VTK's own readers, and checks it.

    python tests/vtk/read_outputs.py DIR... [--expect contacts,electrical,thermal,darcy]

Needs `pip install vtk` (numpy comes with it). VTK's readers may return nothing without an error, so counts, sizes,
finite values and sums are checked, not only that a file opens. Every folder under DIR that holds a .pvd file is one run.

Checked per run:
- every .pvd is a collection whose times rise and whose files exist, and MODEL.pvd lists the same files as its parts;
- every frame opens without a VTK error, with the counts that the file states, its TimeValue as listed, finite arrays,
  and in every array the very numbers that a decoding of the file without VTK gives (VTK passes over a cut-off file);
- bodies: radius, velocity, angular_velocity, orientation (unit), group; + potential (electrical), temperature (thermal);
- contacts: force, gap, status; + current (electrical), heat (thermal);
- grid: pressure, porosity, velocity; mesh: cells; walls: lines or polygons;
- history.csv: steps rise; its `contacts` is the number of contacts of the frame (all, or those with status other than
  0), its `penetration_max` the largest -gap over the smallest positive radius, at the steps of frames (not where `boxes` are
  expected: a run without round bodies judges by the ball that fits into a box, whose size is not in the files);
- summary.json: no frame is later than `time` and `steps`; no frame has a larger penetration than `penetration_max`.

Electrical, thermal and Darcy are expected where summary.json has the book `charge`, `heat` or `fluid`, or with
--expect; `--expect contacts` wants at least one frame with contacts. Prints one line per file; exit code 1 on failure.
"""

import argparse
import base64
import csv
import html
import json
import math
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLogger, vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader

READERS = {".vtp": vtkXMLPolyDataReader, ".vti": vtkXMLImageDataReader, ".vtu": vtkXMLUnstructuredGridReader}
TYPES = {"Float64": "<f8", "Float32": "<f4", "Int64": "<i8", "UInt64": "<u8", "Int32": "<i4", "UInt8": "<u1"}
BODIES = {"radius": 1, "velocity": 3, "angular_velocity": 3, "orientation": 4, "group": 1}
CONTACTS = {"force": 3, "gap": 1, "status": 1}
GRID = {"pressure": 1, "porosity": 1, "velocity": 3}
MORE = {
    "electrical": {"bodies": {"potential": 1}, "contacts": {"current": 1}},
    "thermal": {"bodies": {"temperature": 1}, "contacts": {"heat": 1}},
}
MESHES = {"displacement": 3, "velocity": 3, "stress": 9, "strain": 9, "von_mises": 1, "reaction": 3, "contact_force": 3}
BOOKS = {"charge": "electrical", "heat": "thermal", "fluid": "darcy"}


class Failures:
    def __init__(self):
        self.count = 0

    def add(self, place, problem):
        self.count += 1
        print(f"FAILED {place}: {problem}")


def listed(pvd, failures):
    """Entries of a collection: (time, part name, path)."""
    try:
        root = ElementTree.parse(pvd).getroot()
    except ElementTree.ParseError as error:
        failures.add(pvd, f"not XML: {error}")
        return []
    if root.tag != "VTKFile" or root.get("type") != "Collection":
        failures.add(pvd, "not a VTK collection")
        return []
    entries = [(float(d.get("timestep")), d.get("name", pvd.stem), pvd.parent / d.get("file")) for d in root.iter("DataSet")]
    if not entries:
        failures.add(pvd, "lists no file")
    for name in sorted({name for _, name, _ in entries}):
        times = [time for time, other, _ in entries if other == name]
        if any(not b > a for a, b in zip(times, times[1:])):
            failures.add(pvd, f"times of {name} do not rise: {times}")
    for _, _, path in entries:
        if not path.is_file():
            failures.add(pvd, f"{path} is listed but missing")
    return entries


def stated_counts(path):
    """What the file itself says that it holds, from its tags alone."""
    head = path.read_bytes()
    head = head[: head.find(b"<AppendedData")] if b"<AppendedData" in head else head
    text = re.sub(rb">[A-Za-z0-9+/=\s]{64,}<", b"><", head).decode("utf-8", "replace")
    if path.suffix == ".vti":
        x0, x1, y0, y1, z0, z1 = map(int, re.search(r'WholeExtent="([^"]*)"', text).group(1).split())
        return {"points": (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1)}
    number = lambda key: sum(map(int, re.findall(rf'{key}="(\d+)"', text)))  # over the pieces
    cells = number("NumberOfCells") or sum(number(f"NumberOf{kind}") for kind in ("Verts", "Lines", "Polys", "Strips"))
    return {"points": number("NumberOfPoints"), "cells": cells}


def decoded(path, failures):
    """The arrays of a file by name, decoded without VTK: inline base64 or raw appended, each led by its byte count."""
    content = path.read_bytes()
    if not content.rstrip().endswith(b"</VTKFile>"):
        failures.add(path, "is cut off: no </VTKFile> at its end")
    tags, _, blob = content.partition(b'<AppendedData encoding="raw">\n_')
    arrays = {}
    for tag, inline in re.findall(rb"<DataArray ([^>]*?)/?>([A-Za-z0-9+/=]*)", tags):
        attribute = {k.decode(): v.decode() for k, v in re.findall(rb'(\w+)="([^"]*)"', tag)}
        if attribute["format"] == "ascii":
            continue
        if attribute["format"] == "appended":
            block = blob[int(attribute["offset"]) :]
        else:
            block = base64.b64decode(inline)
        size = int.from_bytes(block[:8], "little")
        if len(block) < 8 + size:
            failures.add(path, f"array {attribute['Name']} is cut off: {len(block) - 8} of {size} bytes")
            continue
        values = np.frombuffer(block[8 : 8 + size], dtype=TYPES[attribute["type"]])
        arrays.setdefault(html.unescape(attribute["Name"]), []).append(values)
    # the pieces of a file, one after the other
    return {name: np.concatenate(pieces) for name, pieces in arrays.items()}


def read(path, failures):
    """The data set of a file and its arrays, checked for what holds for every file."""
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
    window = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    reader = READERS[path.suffix]()
    reader.SetFileName(str(path))
    reader.Update()
    if window.GetOutput():
        failures.add(path, f"VTK says: {window.GetOutput().strip()}")
    data = reader.GetOutput()
    found = {"points": data.GetNumberOfPoints(), "cells": data.GetNumberOfCells()}
    for kind, count in stated_counts(path).items():
        if found[kind] != count:
            failures.add(path, f"states {count} {kind}, VTK reads {found[kind]}")
    arrays, plain = {}, decoded(path, failures)
    for owner, count in ((data.GetPointData(), found["points"]), (data.GetCellData(), found["cells"])):
        for i in range(owner.GetNumberOfArrays()):
            array = owner.GetArray(i)
            values = vtk_to_numpy(array)
            if array.GetNumberOfTuples() != count:
                failures.add(path, f"{array.GetName()} has {array.GetNumberOfTuples()} tuples for {count}")
            if not np.isfinite(values).all():
                failures.add(path, f"{array.GetName()} has {np.count_nonzero(~np.isfinite(values))} values not finite")
            if not np.array_equal(plain.get(array.GetName(), np.empty(0)), values.ravel(), equal_nan=True):
                failures.add(path, f"{array.GetName()}: VTK reads other numbers than the file holds")
            arrays[array.GetName()] = values.reshape(array.GetNumberOfTuples(), array.GetNumberOfComponents())
    if found["points"] and path.suffix != ".vti":
        points = vtk_to_numpy(data.GetPoints().GetData())
        if not np.isfinite(points).all():
            failures.add(path, "points not finite")
        if points.dtype != np.float64 or not np.array_equal(points.ravel(), plain.get("Points")):
            failures.add(path, f"points ({points.dtype}) are not those that the file holds")
    return data, found, arrays


def check_frame(path, part, time, expected, failures):
    before = failures.count
    data, found, arrays = read(path, failures)
    stamp = data.GetFieldData().GetArray("TimeValue")
    moving = re.search(r"_\d+$", path.stem)
    if stamp is None or (moving and stamp.GetValue(0) != time):
        failures.add(path, f"TimeValue {None if stamp is None else stamp.GetValue(0)}, listed at {time}")
    for name, components in expected.get(part, {}).items():
        if name not in arrays:
            failures.add(path, f"no array {name}; has {sorted(arrays)}")
        elif arrays[name].shape[1] != components:
            failures.add(path, f"{name} has {arrays[name].shape[1]} components, expected {components}")
    if part != "contacts" and found["cells"] == 0:
        failures.add(path, "is empty")
    if part == "bodies" and "orientation" in arrays:
        norms = np.linalg.norm(arrays["orientation"], axis=1)
        if len(norms) and abs(norms - 1).max() > 1e-6:
            failures.add(path, f"orientation is no unit quaternion: {norms.min()} to {norms.max()}")
    if part == "bodies" and "radius" in arrays and len(arrays["radius"]) and arrays["radius"].min() < 0:
        failures.add(path, "negative radius")
    sums = ", ".join(f"sum {name} {v.sum():.6g}" for name, v in sorted(arrays.items()))
    print(f"{'ok    ' if failures.count == before else 'bad   '} {path}: t {time:.6g}, {found['points']} points, {found['cells']} cells; {sums}")
    return arrays


def history(folder, failures):
    """Rows of history.csv by step."""
    path = folder / "history.csv"
    if not path.is_file():
        return {}
    rows, last = {}, -1
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            step = int(row["step"])
            if step <= last:
                failures.add(path, f"step {step} follows {last}")
            last = step
            rows[step] = row
    print(f"ok     {path}: {len(rows)} rows, last step {last}")
    return rows


def summary(folder, failures):
    path = folder / "summary.json"
    if not path.is_file():
        return {}
    content = json.loads(path.read_text())
    for key in ("mpcd_version", "steps", "failed_steps", "worst_residual", "penetration_max", "wall_s", "books", "warnings"):
        if key not in content:
            failures.add(path, f"no {key}")
    print(f"ok     {path}: {content.get('steps')} steps, {content.get('failed_steps')} failed")
    return content


def close(a, b, relative):
    return abs(a - b) <= relative * max(abs(a), abs(b)) + 1e-300


def smallest_radius(frames):
    """Of the bodies at the start: overlaps are told over it, also where bodies grow with heat."""
    _, (_, first) = min(frames.items(), default=(0, (0.0, {})))
    radii = first.get("bodies", {}).get("radius", np.empty(0))
    return radii[radii > 0].min(initial=math.inf)


def compare(folder, step, smallest, contacts, row, content, failures):
    """A frame against the history and the summary of its run."""
    place = f"{folder} step {step}"
    if "gap" not in contacts:
        return
    if row and row.get("contacts"):
        counts = {len(contacts["gap"])}
        if "status" in contacts:
            counts.add(int(np.count_nonzero(contacts["status"])))
        if int(float(row["contacts"])) not in counts:
            failures.add(place, f"history has {row['contacts']} contacts, the frame {sorted(counts)}")
    if not math.isfinite(smallest):
        return
    deepest = max(0.0, -contacts["gap"].min()) if len(contacts["gap"]) else 0.0
    penetration = deepest / smallest
    if row and row.get("penetration_max"):
        if not close(float(row["penetration_max"]), penetration, 1e-6):
            failures.add(place, f"history has penetration_max {row['penetration_max']}, the frame {penetration}")
    most = content.get("penetration_max")
    if most is not None and penetration > most * (1 + 1e-6):
        failures.add(place, f"penetration {penetration} is larger than that of the summary, {most}")


def check_run(folder, pvds, wanted, failures):
    content = summary(folder, failures)
    rows = history(folder, failures)
    wanted = set(wanted) | {BOOKS[book] for book in content.get("books", {}) if book in BOOKS}
    expected = {"bodies": dict(BODIES), "contacts": dict(CONTACTS), "grid": dict(GRID), "meshes": dict(MESHES)}
    for physics in wanted & MORE.keys():
        for part, arrays in MORE[physics].items():
            expected[part].update(arrays)

    lists = {pvd.stem: listed(pvd, failures) for pvd in pvds}
    parts = {name for entries in lists.values() for _, name, _ in entries}
    for needed, reason in (("bodies", "every run"), ("grid", "darcy"), ("meshes", "meshes")):
        if needed not in parts and (reason == "every run" or reason in wanted):
            failures.add(folder, f"no {needed}.pvd, which {reason} has")
    for name, entries in lists.items():
        if name not in parts:
            for part in sorted({part for _, part, _ in entries}):
                mine = [(t, p) for t, other, p in entries if other == part]
                if mine != [(t, p) for t, _, p in lists.get(part, [])]:
                    failures.add(folder, f"{name}.pvd and {part}.pvd list different files of {part}")

    frames, touched = {}, 0
    for part in sorted(parts):
        entries = lists.get(part) or [e for es in lists.values() for e in es if e[1] == part]
        seen = set()
        for time, _, path in entries:
            if path.is_file() and path not in seen:
                seen.add(path)
                arrays = check_frame(path, part, time, expected, failures)
                step = re.search(r"_(\d+)$", path.stem)
                if step:
                    frames.setdefault(int(step.group(1)), (time, {}))[1][part] = arrays
                touched += part == "contacts" and len(arrays.get("gap", ()))
    smallest = math.inf if "boxes" in wanted else smallest_radius(frames)
    for step, (time, arrays) in sorted(frames.items()):
        if step > content.get("steps", math.inf) or time > content.get("time", math.inf) * (1 + 1e-12):
            failures.add(folder, f"frame at step {step}, t = {time} is later than the summary says")
        if "contacts" in arrays and "bodies" in arrays:
            compare(folder, step, smallest, arrays["contacts"], rows.get(step), content, failures)
    if "contacts" in wanted and not touched:
        failures.add(folder, "no frame has a contact")
    print(f"run    {folder}: {len(frames)} frames of {', '.join(sorted(parts))}; {touched} contacts in all; {sorted(wanted)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--expect", default="", help="contacts, electrical, thermal, darcy, boxes, meshes; separated by commas")
    arguments = parser.parse_args()
    wanted = {w for w in arguments.expect.split(",") if w}
    unknown = wanted - {"contacts", "electrical", "thermal", "darcy", "boxes", "meshes"}
    if unknown:
        parser.error(f"--expect does not know {sorted(unknown)}")
    failures = Failures()
    for folder in arguments.folders:
        runs = {}
        for pvd in sorted(folder.rglob("*.pvd")):
            runs.setdefault(pvd.parent, []).append(pvd)
        if not runs:
            failures.add(folder, "no .pvd file")
        for run, pvds in sorted(runs.items()):
            check_run(run, pvds, wanted, failures)
    print(f"{failures.count} failure(s)")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main())
