#!/usr/bin/env python3
"""Draws the charts of the gallery from the history of a run.

    python tests/vtk/charts.py branly|oxidised-compaction|self-heating|fluidised-bed|air-driven-plug|sand-clock|silo-ratcheting|spark-sintering|consolidation|liquefaction DIR out.png
    python tests/vtk/charts.py silent-network FOLDER_WITH_BODIES_AND_CONTACTS out.png

Needs `pip install matplotlib`. The last one solves a stored network by sweeps and draws what they have reached.
"""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

LORENZ = 2.4430045e-8


def history(folder, *columns):
    """Columns of history.csv as arrays; empty cells are not a number."""
    with open(Path(folder) / "history.csv") as file:
        rows = list(csv.DictReader(file))
    return [np.array([float(row[c] or "nan") for row in rows]) for c in columns]


def branly(folder, axes):
    time, current, voltage = history(folder, "time", "electrode_current", "voltage")
    for start, end, label in ((0, 0.1105, "up"), (0.1105, 0.21, "down"), (0.21, 0.31, "up again"), (0.43, 0.51, "after the tap")):
        part = (time > start) & (time < end) & (current > (4e-5 if start == 0.43 else 1e-3))
        look = {"after the tap": "o-", "up again": "--"}.get(label, "-")
        axes.loglog(current[part], voltage[part], look, label=label, markersize=3)
    axes.set(xlabel="current (A)", ylabel="voltage of the row (V)")
    amperes = np.array([5e-5, 8 / 6545])
    axes.loglog(amperes, 6545 * amperes, ":", color="tab:blue", label="whole films, 6,545 Ω")
    axes.axhline(8, color="grey", linestyle=":", label="20 × 0.4 V")


def oxidised_compaction(folder, axes):
    time, load, resistance = history(folder, "time", "load", "resistance")
    for start, end, label in ((0.06, 0.18, "oxidised, up"), (0.18, 0.298, "oxidised, down")):
        part = (time > start) & (time < end)
        axes.loglog(load[part], resistance[part], label=label)
    forces = np.array([10.0, 1000.0])
    last = resistance[(time > 0.18) & (load > 900)][0]
    axes.loglog(forces, last * (forces / 1000) ** (-1 / 3), ":", color="grey", label="F^(-1/3)")
    axes.set(xlabel="load (N)", ylabel="resistance (Ω)")


def spark_sintering(folder, axes):
    time, resistance, mean, neck, pressure = history(folder, "time", "resistance", "mean", "neck", "pressure_max")
    axes.plot(time, resistance * 1e6, label="resistance (µΩ)")
    axes.plot(time, mean / 10, label="mean temperature (10 K)")
    axes.plot(time, neck * 1e5, label="widest neck (10 µm)")
    axes.plot(time, pressure / 1e3, ":", label="pressure of the air (kPa)")
    axes.set(xlabel="time of the mechanics (s)", ylim=(0, 220), xlim=(0.05, 0.4))


def self_heating(folder, axes):
    voltage, light, heavy, one, other = history(folder, "voltage", "light", "heavy", "current_light", "current_heavy")
    u = np.linspace(0, voltage.max(), 200)
    axes.plot(u, np.sqrt(293.15**2 + u**2 / (4 * LORENZ)), color="lightgrey", linewidth=6, label="T² = T₀² + U²/4L")
    axes.plot(voltage, light, label="1 N")
    axes.plot(voltage, heavy, "--", label="100 N")
    axes.set(xlabel="voltage of a row (V)", ylabel="temperature of the ball in the middle (K)")
    right = axes.twinx()
    right.plot(voltage, one, ":", color="tab:blue")
    right.plot(voltage, other, ":", color="tab:orange")
    right.set_ylabel("current (A), dotted")


def fluidised_bed(folder, axes):
    time, flow, floor, lift, top = history(folder, "time", "inflow_z_min", "floor", "lift", "top")
    weight = np.nanmean(-floor[(time > 0.03) & (time < 0.05)])
    part = time > 0.05
    speed = flow[part] / (1.2 * 9e-6)
    axes.plot(speed, lift[part] / weight, label="the air carries")
    axes.plot(speed, -floor[part] / weight, label="the floor carries")
    axes.axhline(1, color="grey", linestyle=":")
    axes.set(xlabel="airflow (m/s)", ylabel="part of the weight of the beads")
    right = axes.twinx()
    right.plot(speed, 1e3 * top[part], ":", color="tab:green")
    right.set_ylabel("top of the bed (mm), dotted")


def air_driven_plug(folder, axes):
    time, place = history(folder, "time", "place")
    axes.plot(1e3 * time, 1e3 * place - 20, label="face of the plug")
    m, area, p0, p1, start = 2700 * 0.04 * 0.02 * 0.02, 4e-4, 1.05e5, 1e5, 0.1
    friction, way, first = 0.3 * m * 9.81, 1, True
    while (p0 * area * 0.1 / (p1 * area + way * friction) - start) * way > 0:
        near = p0 * area * 0.1 / (p1 * area + way * friction)
        far = near + 0.02 * way
        for _ in range(100):
            end = 0.5 * (near + far)
            left = p0 * area * 0.1 * np.log(end / start) - p1 * area * (end - start) - friction * abs(end - start)
            near, far = (end, far) if left > 0 else (near, end)
        axes.axhline(1e3 * near, color="grey", linestyle=":", linewidth=0.8, label="turns by the works" if first else None)
        start, way, first = near, -way, False
    axes.set(xlabel="time (ms)", ylabel="length of the air behind it (mm)")


def sand_clock(folder, axes):
    """Beside the sealed run DIR the vented one is read from DIR-vented."""
    for run, label in ((folder, "sealed"), (f"{folder}-vented", "vented")):
        time, top = history(run, "time", "top")
        axes.plot(1e3 * time, 1e3 * top, label=label)
    t = np.linspace(0, 0.024, 100)
    axes.plot(1e3 * t, 8.4 - 0.5e3 * 9.81 * t**2, ":", color="grey", label="free fall")
    axes.set(xlabel="time (ms)", ylabel="top of the sand (mm)")


def consolidation(folder, axes):
    """Beside DIR other packings are read from DIR-*."""
    height, area, pores = 0.12, 3.6e-3, 0.4479
    for run in sorted(Path(folder).parent.glob(Path(folder).name + "*")):
        time, centre, floor = history(run, "time", "centre", "floor")
        start = np.searchsorted(time, 0.5 - 1e-9)
        after = 1e3 * (time - time[start] - 0.2e-3)
        own = run == Path(folder)
        style = {} if own else {"color": "silver", "zorder": 0}
        sunk = (centre[start] - centre) / (centre[start] - centre[-1])
        axes.plot(after[start:], sunk[start:], label="settled" if own else None, **style)
        if own:
            axes.plot(after[start:], ((floor[start] - floor) / (floor[start] - floor[-1]))[start:], label="the floor bears")
            modulus = (floor[start] - floor[-1]) / area * height / (3 * (centre[start] - centre[-1]))
    rate = 1e-4 * pores**3 / (180 * (1 - pores) ** 2) * modulus * (np.pi / 2 / height) ** 2
    t, odd = np.linspace(0, 0.4, 400), (2 * np.arange(60) + 1)[:, None]
    for power in (4, 2):
        left = (odd**-float(power) * np.exp(-(odd**2) * rate * t)).sum(0) / (odd**-float(power)).sum()
        axes.plot(1e3 * t, 1 - left, "k:", linewidth=1, label="Terzaghi" if power == 4 else None)
    axes.set(xlabel="time after the load (ms)", ylabel="part of what comes in the end", xlim=(0, 300), ylim=(0, 1))


def liquefaction(folder, axes):
    """Beside DIR the run in a thin liquid is read from DIR-thin."""
    time, floor, ohm = history(folder, "time", "floor", "resistance")
    rest = np.searchsorted(time, 1.5 - 1e-9)
    axes.plot(time, ohm / ohm[rest], label="resistance over that at rest", linewidth=0.8)
    thin_time, thin = history(f"{folder}-thin", "time", "resistance")
    axes.plot(thin_time, thin / thin[rest], label="the same in a thin liquid", linewidth=0.8, color="silver")
    axes.axvspan(1.5, 2.5, color="tab:red", alpha=0.08, label="shaken")
    axes.set(xlabel="time (s)", ylabel="resistance over that at rest", yscale="log")
    right = axes.twinx()
    right.plot(time, floor / floor[rest], color="tab:orange", linewidth=0.8)
    right.set_ylabel("what the floor bears, over that at rest (orange)")
    right.set_ylim(0, 1.3)


def silo_ratcheting(folder, axes):
    """Other runs (orders of sweeps, packings) are read from DIR-*; heights at the same hour, from the first whole day on."""
    for run in sorted(Path(folder).parent.glob(Path(folder).name + "*")):
        time, height = history(run, "time", "height")
        days = np.arange(1, 21)
        at = np.searchsorted(time, 0.4 + 0.04 * days - 1e-9).clip(max=len(time) - 1)
        axes.plot(days, 1e6 * (height[at] - height[at[0]]), "o-", markersize=3, label=run.name)
    axes.set(xlabel="day", ylabel="mean height of the grains (µm)")


def silent_network(folder, axes):
    read = lambda name: list(csv.DictReader(open(Path(folder) / f"{name}.csv")))
    bodies, contacts = read("bodies"), read("contacts")
    rows = [[] for _ in bodies]
    for contact in contacts:
        i, j, conductance = int(contact["candidate"]) - 1, int(contact["antagonist"]) - 1, float(contact["conductance"])
        if conductance > 0:
            rows[i].append((j, conductance))
            rows[j].append((i, conductance))
    ground, fed = len(bodies) - 4, len(bodies) - 3
    exact = float(bodies[fed]["potential_exact"]) / -0.5
    rows = [(np.array([j for j, _ in row]), np.array([g for _, g in row])) for row in rows]
    inverse = [1 / g.sum() if len(g) else 0 for _, g in rows]
    v, reached, change, imbalance, sweeps = np.zeros(len(bodies)), [], [], [], []
    source = np.where(np.arange(len(bodies)) == fed, -0.5, 0.0)
    nodes = [k for k in range(len(bodies)) if k != ground and len(rows[k][0])]
    for sweep in range(1, 9001):
        before = v.copy()
        for k in nodes:
            v[k] = (source[k] + rows[k][1] @ v[rows[k][0]]) * inverse[k]
        if sweep <= 100 or sweep % 20 == 0:
            sweeps.append(sweep)
            reached.append(v[fed] / -0.5)
            change.append(np.abs(v - before).max() / np.abs(v).max())
            drawn = abs(rows[ground][1] @ v[rows[ground][0]])
            imbalance.append(sum(abs(source[k] + rows[k][1] @ (v[rows[k][0]] - v[k])) for k in nodes) / (0.5 + drawn))
    axes.loglog(sweeps, 1 - np.array(reached) / exact, label="error of the resistance")
    axes.loglog(sweeps, change, label="change in a sweep, of the largest potential")
    axes.loglog(sweeps, imbalance, "--", label="imbalance of all bodies over the current of both electrodes")
    axes.axhline(1e-4, color="grey", linestyle=":")
    axes.axvline(100, color="grey", linestyle=":")
    axes.set(xlabel="sweeps", ylabel="relative")


CHARTS = {f.__name__.replace("_", "-"): f for f in (branly, oxidised_compaction, self_heating, fluidised_bed, air_driven_plug, sand_clock, silo_ratcheting, spark_sintering, consolidation, liquefaction, silent_network)}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in CHARTS:
        sys.exit(__doc__)
    name, folder, picture = sys.argv[1:]
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    CHARTS[name](folder, axes)
    axes.grid(alpha=0.3, which="both")
    axes.legend(loc="best", fontsize=9)
    figure.savefig(picture, dpi=110)
    print(picture)


if __name__ == "__main__":
    main()
