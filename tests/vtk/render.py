#!/usr/bin/env python3
"""Draws one frame of a run: bodies coloured by a field, walls, and the chains of contact forces.

    python tests/vtk/render.py DIR out.png [--frame last] [--color temperature] [--view iso] [--opacity 0.5]

Needs `pip install pyvista`. No screen is needed: VTK 9.5 and newer fall back to off-screen EGL by themselves where the
system has Mesa's libraries (Debian: `apt-get install libegl1 libgl1`); a warning about the X server is then harmless.
Elsewhere run it as `xvfb-run -a python tests/vtk/render.py ...` (Debian: `apt-get install xvfb libgl1`).

Bodies are spheres of their radius, or discs in a planar model (all centres at z = 0, seen from above); bodies with faces are drawn
by their faces, other walls by their edges.
A contact is a rod through its point along its force, of a thickness that grows with the force up to the 99th percentile.
--frame takes `last`, `first`, a step number, or `t=TIME` for the frame nearest to a time.
--color takes an array of the bodies (of a vector its length); `none` for one colour.
"""

import argparse
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pyvista as pv

MOST_RODS = 50_000
BAR = {"color": "black", "vertical": True, "n_labels": 5, "title_font_size": 18, "label_font_size": 16,
       "position_x": 0.88, "position_y": 0.2, "height": 0.6}
UNITS = {"von_mises": "Pa", "displacement": "m", "temperature": "K", "potential": "V", "velocity": "m/s", "angular_velocity": "rad/s", "radius": "m"}


def frames(folder, part):
    """(step, time, path) of the frames of a part; empty when there is no such part."""
    pvd = folder / f"{part}.pvd"
    if not pvd.is_file():
        return []
    entries = ElementTree.parse(pvd).getroot().iter("DataSet")
    number = lambda file: int((re.search(r"_(\d+)\.\w+$", file) or [0, 0])[1])
    return [(number(e.get("file")), float(e.get("timestep")), folder / e.get("file")) for e in entries]


def choose(listed, wanted):
    if wanted == "last":
        return listed[-1]
    if wanted == "first":
        return listed[0]
    if wanted.startswith("t="):
        return min(listed, key=lambda frame: abs(frame[1] - float(wanted[2:])))
    for frame in listed:
        if frame[0] == int(wanted):
            return frame
    sys.exit(f"no frame at step {wanted}; there are {[step for step, _, _ in listed]}")


def part_at(folder, part, time):
    """The data of a part at the time of a frame, or None."""
    found = [path for _, t, path in frames(folder, part) if t == time]
    data = pv.read(found[0]) if found else None
    return data if data is not None and data.n_points else None


def default_color(bodies):
    known = [name for name in ("temperature", "potential") if name in bodies.point_data and np.ptp(bodies[name]) > 0]
    return (known + ["velocity"])[0]


def split_walls(walls, bodies):
    """Faces of bodies, each cell with the row of its body as `body`, and what has lines alone; and which bodies have faces."""
    has_faces = np.zeros(bodies.n_points, dtype=bool)
    if walls is None:
        return None, None, has_faces
    pieces = walls.copy()
    row = {int(number): i for i, number in enumerate(np.asarray(bodies["id"]))}
    flat = np.asarray([pieces.get_cell(i).dimension for i in range(pieces.n_cells)]) < 2
    body = np.asarray([row.get(int(number), -1) for number in pieces.cell_data["body"]])
    body[flat] = -1
    pieces.cell_data["body"] = body
    has_faces[body[body >= 0]] = True
    part = lambda mask: pieces.extract_cells(np.flatnonzero(mask)) if mask.any() else None
    return part(body >= 0), part(body < 0), has_faces


def draw_faces(plotter, faces, bodies, color, planar):
    row = np.asarray(faces.cell_data["body"])
    look = {"color": "lightgrey"}
    if color != "none":
        values = np.asarray(bodies[color], dtype=float)
        values = np.linalg.norm(values, axis=1) if values.ndim > 1 else values
        faces.cell_data["shown"] = values[row]
        title = f"{color} ({UNITS[color]})" if color in UNITS else color
        look = {"scalars": "shown", "cmap": "viridis", "clim": [values.min(), values.max()],
                "scalar_bar_args": {"title": title + "\n", **BAR}}
    plotter.add_mesh(faces, show_edges=True, line_width=1, lighting=not planar, **look)


def draw_bodies(plotter, bodies, color, planar, opacity):
    if not bodies.n_points:
        return
    bodies = bodies.extract_points(bodies["radius"] > 0, adjacent_cells=False) if (bodies["radius"] <= 0).any() else bodies
    if planar:
        shape = pv.Disc(inner=0, outer=1, c_res=32)
    elif bodies.n_points <= 5000:
        shape = pv.Sphere(radius=1, theta_resolution=24, phi_resolution=24)
    else:
        shape = pv.Sphere(radius=1, theta_resolution=10, phi_resolution=8)
    look = {"color": "lightgrey"}
    if color != "none":
        values = np.asarray(bodies[color])
        bodies["shown"] = np.linalg.norm(values, axis=1) if values.ndim > 1 else values.astype(float)
        title = f"{color} ({UNITS[color]})" if color in UNITS else color
        look = {"scalars": "shown", "cmap": "viridis", "scalar_bar_args": {"title": title + "\n", **BAR}}
    balls = bodies.glyph(scale="radius", orient=False, geom=shape)
    plotter.add_mesh(balls, opacity=opacity, smooth_shading=not planar, lighting=not planar, **look)


def draw_meshes(plotter, meshes, color, planar):
    """Deformable bodies where their nodes are. Returns the ids of the bodies that they are."""
    name = color if color in meshes.point_data else "von_mises"
    values = np.asarray(meshes[name])
    meshes["shown"] = np.linalg.norm(values, axis=1) if values.ndim > 1 else values.astype(float)
    title = f"{name} ({UNITS[name]})" if name in UNITS else name
    plotter.add_mesh(meshes, show_edges=True, line_width=1, lighting=not planar, scalars="shown", cmap="viridis",
                     scalar_bar_args={"title": title + "\n", **BAR})
    return set(int(body) for body in meshes.cell_data["body"])


def draw_chains(plotter, contacts, radius, planar):
    """Rods along the forces. Returns the number of contacts that carry any."""
    force = np.asarray(contacts["force"])
    size = np.linalg.norm(force, axis=1)
    carrying = np.flatnonzero(size > 0)
    carrying = carrying[np.argsort(size[carrying], kind="stable")][-MOST_RODS:]
    if not len(carrying):
        return 0
    points, size = np.asarray(contacts.points)[carrying], size[carrying]
    half = radius * force[carrying] / size[:, None]
    ends = np.stack([points - half, points + half], axis=1).reshape(-1, 3)
    if planar:
        ends[:, 2] += 0.5 * radius
    n = len(carrying)
    cells = np.column_stack([np.full(n, 2), np.arange(0, 2 * n, 2), np.arange(1, 2 * n, 2)])
    rods = pv.PolyData(ends, lines=cells.ravel())
    thick = 0.22 * radius * np.sqrt(np.minimum(size / np.percentile(size, 99), 1.0))
    rods["thick"] = np.repeat(thick, 2)
    plotter.add_mesh(rods.tube(scalars="thick", absolute=True, n_sides=8), color="crimson")
    return n


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--frame", default="last")
    parser.add_argument("--color")
    parser.add_argument("--no-walls", action="store_true")
    parser.add_argument("--view", default=None, choices=["iso", "xy", "xz", "yz"])
    parser.add_argument("--opacity", type=float, help="of the bodies; 0.35 where forces are drawn inside spheres")
    parser.add_argument("--no-forces", action="store_true")
    parser.add_argument("--size", type=int, nargs=2, default=[1200, 900])
    arguments = parser.parse_args()

    listed = frames(arguments.folder, "bodies")
    if not listed:
        sys.exit(f"no frames in {arguments.folder / 'bodies.pvd'}")
    step, time, path = choose(listed, arguments.frame)
    bodies = pv.read(path)
    if not bodies.n_points:
        sys.exit(f"{path} has no bodies")
    meshes = part_at(arguments.folder, "meshes", time)
    color = arguments.color or ("von_mises" if meshes is not None else default_color(bodies))
    of_meshes = meshes is not None and color in meshes.point_data
    if color != "none" and color not in bodies.point_data and not of_meshes:
        sys.exit(f"bodies have no {color}; they have {sorted(bodies.point_data)}")
    radii = np.asarray(bodies["radius"])
    radius = float(np.median(radii[radii > 0])) if (radii > 0).any() else 0.01 * bodies.length
    planar = bool(np.abs(bodies.points[:, 2]).max() < 1e-9 * radius)

    plotter = pv.Plotter(off_screen=True, window_size=arguments.size)
    plotter.set_background("white")
    contacts = None if arguments.no_forces else part_at(arguments.folder, "contacts", time)
    # Forces on nodes are as long as a cell.
    across = lambda cell: np.linalg.norm(np.subtract(cell.bounds[1::2], cell.bounds[::2]))
    long = 0.5 * float(np.median([across(meshes.get_cell(i)) for i in range(meshes.n_cells)])) if meshes is not None else radius
    rods = draw_chains(plotter, contacts, long, planar) if contacts is not None else 0
    opacity = arguments.opacity if arguments.opacity is not None else (0.35 if rods and not planar else 1.0)
    faces, lines, has_faces = split_walls(part_at(arguments.folder, "surfaces", time), bodies)
    walls = part_at(arguments.folder, "walls", time)
    walls = lines if walls is None else walls if lines is None else walls.merge(lines)
    deformable = draw_meshes(plotter, meshes, color, planar) if meshes is not None else set()
    drawn = has_faces | np.isin(np.asarray(bodies["id"]), list(deformable))
    color = "none" if of_meshes else color
    if not drawn.all():
        draw_bodies(plotter, bodies.extract_points(~drawn, adjacent_cells=False) if drawn.any() else bodies, color, planar, opacity)
    if faces is not None:
        draw_faces(plotter, faces, bodies, color, planar)
    if walls is not None and not arguments.no_walls:
        plotter.add_mesh(walls, color="slategrey", style="wireframe", line_width=1)
    plotter.add_text(f"step {step}   t = {time:.6g} s   {bodies.n_points} bodies   {rods} forces", font_size=10, color="black")
    view = arguments.view or ("xy" if planar else "iso")
    if view == "iso":
        plotter.view_isometric()
    else:
        plotter.enable_parallel_projection()
        getattr(plotter, f"view_{view}")()
    low, high = bodies.points.min(axis=0) - radii.max(), bodies.points.max(axis=0) + radii.max()
    if meshes is not None:
        low, high = np.asarray(meshes.points).min(axis=0), np.asarray(meshes.points).max(axis=0)
        low, high = low - 0.15 * (high - low), high + 0.15 * (high - low)
    plotter.reset_camera(bounds=np.column_stack([low, high]).ravel())
    plotter.camera.zoom(1.2 if planar else 0.95)
    plotter.enable_anti_aliasing("ssaa")
    arguments.picture.parent.mkdir(parents=True, exist_ok=True)
    plotter.screenshot(arguments.picture)
    print(f"{arguments.picture}: step {step}, t = {time} s, {bodies.n_points} bodies coloured by {color}, {rods} forces")
    return 0


if __name__ == "__main__":
    sys.exit(main())
