#!/usr/bin/env python3
"""Stored frictional contact problems: mpcd and Siconos side by side, on one core, in one run.

    side_by_side.py run --mpcd PROGRAM --tools DIR --problems DIR --index CSV --baseline CSV -o OUT.csv
                        [--tolerances 1e-8,1e-6,1e-4] [--cap 10] [--repeat 3] [--repeat-below 2] [--budget SECONDS] [--least-contacts 15]
                        [--only TEXT]
    side_by_side.py report OUT.csv [--baseline CSV] [--master CSV]

`run`: for every three-dimensional problem with enough contacts and every tolerance (on err_siconos), `mpcd fclib solve --solver auto`
and three Siconos solvers take turns: the best one of --index and the two next in --baseline; where neither names one, all
core solvers. Solves that succeed within --repeat-below seconds are repeated, the median counts. Times are processor seconds of the solving thread: for mpcd
assembly of W and solution, for Siconos its driver; reading is left out. A Siconos solve is judged by --tools (check_solution.py),
not by its own word. When the budget is spent no further Siconos solve is started, and the rows say so.

`report`: Markdown tables: geometric means of the ratio mpcd / best Siconos solver per problem, by tolerance and family,
total times, failures, where mpcd loses; and, with --master, against stored times of Siconos' interior point, scaled by the ratio of the
Siconos solvers run here to their stored times in --baseline.

--tools holds siconos_solve.py, check_solution.py and fclib_io.py; they need Siconos 4.4 (Debian: python3-siconos), numpy, scipy, h5py.
"""
import argparse, csv, math, os, resource, subprocess, sys, tempfile, time
from collections import defaultdict

FIELDS = ['problem', 'family', 'contacts', 'tolerance', 'code', 'solver', 'status', 'cpu', 'runs', 'iterations', 'err_siconos', 'err_scaled']


def rows(path):
    with open(path, newline='') as f:
        return list(csv.DictReader(f))


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else 0.5 * (values[middle - 1] + values[middle])


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float('nan')


def ranking(baseline):
    """(problem, tolerance) -> names of the solvers that met it, fastest first."""
    table = defaultdict(list)
    for r in baseline:
        if r['status'] == 'ok' and r['cpu']:
            table[r['problem'], float(r['tol'])].append((float(r['cpu']), r['solver']))
    return {key: [name for _, name in sorted(list_)] for key, list_ in table.items()}


def choose(entry, tolerance, ranked, core):
    """The best solver of the index and the two next of the baseline; all core solvers where there is none."""
    best = entry.get('best_solver_%g' % tolerance, '') or entry.get('best_solver_' + repr(tolerance), '')
    names = [best] if best else []
    names += [n for n in ranked.get((entry['file'][:-5], tolerance), []) if n not in names]
    return names[:3] if names else list(core)


def solve_ours(program, path, tolerance, cap):
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, 't.csv')
        # the clock of a busy machine says nothing: the limit is one of processor time
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(cap) + 2, int(cap) + 3))
        command = [program, 'fclib', 'solve', path, '--solver', 'auto', '--tolerance', repr(tolerance), '--measure', 'siconos',
                   '--quick', '--csv', table]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, preexec_fn=limit)
        found = rows(table) if os.path.exists(table) else []
    if not found:
        return dict(status='failed')
    r = found[0]
    status = 'ok' if float(r['err_siconos']) <= tolerance else r['status']
    return dict(status=status, cpu=float(r['seconds']), iterations=r['iterations'], err_siconos=r['err_siconos'], err_scaled=r['err_scaled'])


class Siconos:
    """The solvers of Siconos on one problem, through the tool's driver."""

    def __init__(self, tool, path, text):
        self.tool = tool
        stored = tool.read_fclib(path, 'global')
        local = tool.read_fclib(path, 'local')
        self.stored, self.local = stored, tool.condense(local) if local['kind'] == 'global' else local
        self.text = text
        tool.write_dat_sbm(self.text, self.local)
        self.handle = tool.global_pb(stored) if stored['kind'] == 'global' else None

    def solve(self, name, tolerance, cap):
        if name.startswith('G-') and self.handle is None:
            return dict(status='no global form')
        o = self.tool.run_one(self.local, self.stored, self.text, self.handle, name, tolerance, cap)
        return dict(status=o['status'], cpu=o.get('cpu'), iterations=o.get('iters', ''), err_siconos='%.3e' % o['err'] if 'err' in o else '',
                    err_scaled='%.3e' % o['err_scaled'] if 'err_scaled' in o else '')


def run(args):
    sys.path.insert(0, args.tools)
    import siconos_solve as tool
    ranked = ranking(rows(args.baseline))
    entries = [e for e in rows(args.index) if int(e['dim']) == 3 and int(e['nc']) >= args.least_contacts and args.only in e['file']]
    entries.sort(key=lambda e: int(e['nc']))
    start = time.monotonic()
    read = {}
    with tempfile.TemporaryDirectory() as folder, open(args.output, 'w', newline='') as out:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        for tolerance in args.tolerances:
            for entry in entries:
                path = os.path.join(args.problems, entry['file'])
                if path not in read:
                    read[path] = Siconos(tool, path, os.path.join(folder, '%d.dat' % len(read)))
                siconos = read[path]
                tasks = [('mpcd', 'auto')] + [('siconos', n) for n in choose(entry, tolerance, ranked, tool.GROUPS['core'])]
                results = {task: [] for task in tasks}
                for turn in range(args.repeat):
                    for task in tasks:
                        done = results[task]
                        if turn and (done[-1]['status'] != 'ok' or done[-1]['cpu'] > args.repeat_below):
                            continue
                        if task[0] == 'mpcd':
                            done.append(solve_ours(args.mpcd, path, tolerance, args.cap))
                        elif time.monotonic() - start > args.budget:
                            if not done:
                                done.append(dict(status='not run: budget spent'))
                        else:
                            done.append(siconos.solve(task[1], tolerance, args.cap))
                for (code, solver), done in results.items():
                    good = [o for o in done if o['status'] == 'ok']
                    last = good[-1] if good else done[-1]
                    times = [o['cpu'] for o in (good or done) if o.get('cpu') is not None]
                    writer.writerow(dict(problem=entry['file'][:-5], family=entry['family'], contacts=entry['nc'], tolerance='%g' % tolerance, code=code,
                                         solver=solver, status=last['status'], cpu='%.6f' % median(times) if times else '', runs=len(done),
                                         iterations=last.get('iterations', ''), err_siconos=last.get('err_siconos', ''), err_scaled=last.get('err_scaled', '')))
                out.flush()
    print('%.0f s' % (time.monotonic() - start))


def report(args):
    table = rows(args.table)
    ours, best, tried = {}, {}, defaultdict(list)
    family, contacts = {}, {}
    for r in table:
        key = r['problem'], float(r['tolerance'])
        family[r['problem']], contacts[r['problem']] = r['family'], int(r['contacts'])
        if r['code'] == 'mpcd':
            ours[key] = float(r['cpu']) if r['status'] == 'ok' else None
        else:
            tried[key].append(r)
            if r['status'] == 'ok' and (key not in best or float(r['cpu']) < best[key][0]):
                best[key] = float(r['cpu']), r['solver']
    tolerances = sorted({t for _, t in ours}, reverse=True)
    print('| tolerance | problems | auto solves | Siconos solves | both | geometric mean of auto / best | total auto (s) | total best (s) | faster on |')
    print('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
    ratios = {}
    for t in tolerances:
        keys = [k for k in ours if k[1] == t]
        both = [k for k in keys if ours[k] is not None and k in best]
        for k in both:
            ratios[k] = ours[k] / best[k][0]
        print('| %g | %d | %d | %d | %d | %.2f | %.2f | %.2f | %d |' % (
            t, len(keys), sum(ours[k] is not None for k in keys), sum(k in best for k in keys), len(both),
            geometric_mean([ratios[k] for k in both]), sum(ours[k] for k in both), sum(best[k][0] for k in both), sum(ratios[k] < 1 for k in both)))
    print('\n| family | problems | ' + ' | '.join('ratio at %g' % t for t in tolerances) + ' |')
    print('| --- | --- |' + ' --- |' * len(tolerances))
    for name in sorted(set(family.values())):
        own = [p for p in family if family[p] == name]
        cells = []
        for t in tolerances:
            values = [ratios[p, t] for p in own if (p, t) in ratios]
            cells.append('%.2f (%d)' % (geometric_mean(values), len(values)) if values else '–')
        print('| %s | %d | %s |' % (name, len(own), ' | '.join(cells)))
    print('\nNot solved by auto: ' + (', '.join('%s at %g' % k for k in sorted(ours) if ours[k] is None) or 'none'))
    print('\nNot solved by the Siconos solvers tried: ' + (', '.join('%s at %g' % k for k in sorted(ours) if k not in best) or 'none'))
    skipped = [k for k in ours if any(r['status'].startswith('not run') for r in tried[k])]
    print('\nSiconos solves left out, the budget being spent: %d problems' % len(skipped))
    print('\n| where auto loses most | tolerance | contacts | auto (ms) | best Siconos (ms) | its solver | ratio |')
    print('| --- | --- | --- | --- | --- | --- | --- |')
    for k in sorted(ratios, key=lambda k: -ratios[k])[:15]:
        if ratios[k] > 1:
            print('| %s | %g | %d | %.2f | %.2f | %s | %.2f |' % (k[0], k[1], contacts[k[0]], 1e3 * ours[k], 1e3 * best[k][0], best[k][1], ratios[k]))
    if args.master and args.baseline:
        against_stored(args, table, ours, tolerances)


def against_stored(args, table, ours, tolerances):
    """Ratios to the better of the stored interior points, their times scaled to this machine by the solvers that both have run."""
    master = rows(args.master)
    stored = {(r['problem'], r['solver'].removeprefix('4.4.0-'), float(r['tol'])): float(r['cpu'])
              for r in master if r['solver'].startswith('4.4.0-') and r['status'] == 'ok' and r['cpu']}
    source = 'of the same table'
    if not stored_pairs(table, stored):
        stored = {(r['problem'], r['solver'], float(r['tol'])): float(r['cpu']) for r in rows(args.baseline) if r['status'] == 'ok' and r['cpu']}
        source = 'of the baseline'
    pairs = stored_pairs(table, stored)
    factor = geometric_mean(pairs)
    print('\nSiconos solvers here take %.2f of their stored times %s (geometric mean of %d solves above 10 ms).' % (factor, source, len(pairs)))
    interior = {}
    for r in master:
        if 'IPM' in r['solver'] and r['status'] == 'ok' and r['cpu']:
            key = r['problem'], float(r['tol'])
            interior[key] = min(interior.get(key, math.inf), float(r['cpu']) * factor)
    print('\n| tolerance | problems that auto and an interior point solve | geometric mean of auto / best interior point | auto alone | interior point alone |')
    print('| --- | --- | --- | --- | --- |')
    for t in tolerances:
        keys = [k for k in ours if k[1] == t]
        both = [k for k in keys if ours[k] is not None and k in interior]
        print('| %g | %d | %.2f | %d | %d |' % (t, len(both), geometric_mean([ours[k] / interior[k] for k in both]),
                                             sum(ours[k] is not None and k not in interior for k in keys), sum(ours[k] is None and k in interior for k in keys)))


def stored_pairs(table, stored):
    """Times here over stored times, for solves of more than 10 ms."""
    found = [(float(r['cpu']), stored.get((r['problem'], r['solver'], float(r['tolerance'])))) for r in table if r['code'] == 'siconos' and r['status'] == 'ok']
    return [here / there for here, there in found if there and min(here, there) > 0.01]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    p = commands.add_parser('run')
    for name in ('--mpcd', '--tools', '--problems', '--index', '--baseline'):
        p.add_argument(name, required=True)
    p.add_argument('-o', '--output', required=True)
    p.add_argument('--tolerances', type=lambda s: [float(t) for t in s.split(',')], default=[1e-8, 1e-6, 1e-4])
    p.add_argument('--cap', type=float, default=10.0)
    p.add_argument('--repeat', type=int, default=3)
    p.add_argument('--repeat-below', type=float, default=2.0)
    p.add_argument('--budget', type=float, default=math.inf)
    p.add_argument('--least-contacts', type=int, default=15)
    p.add_argument('--only', default='')
    p.set_defaults(go=run)
    p = commands.add_parser('report')
    p.add_argument('table')
    p.add_argument('--baseline')
    p.add_argument('--master')
    p.set_defaults(go=report)
    args = parser.parse_args()
    args.go(args)


if __name__ == '__main__':
    main()
