#!/usr/bin/env bash
# Runs every model of the gallery and the example of a user's own physics in a short form, and reads what they wrote with real VTK.
#   bash tests/vtk/gallery.sh PYTHON [FOLDER]      (a Python with the packages vtk and numpy; where mpcd and custom-physics lie)
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${1:-python3}
programs=${2:-target/release}
out=out/gallery
if [ $# -lt 2 ]; then cargo build --release --quiet -p mpcd -p custom-physics; fi
rm -rf "$out"

# As many models at a time as there are processors, each on one thread; what each prints comes when it has ended.
most=$(nproc)
failed=0

turn() { # COMMAND…: in the background, once a processor is free
  if [ "$(jobs -pr | wc -l)" -ge "$most" ]; then wait -n || failed=1; fi
  if [ "$failed" -ne 0 ]; then end; fi
  "$@" &
}

end() { # waits for all, and says whether one failed
  while [ -n "$(jobs -p)" ]; do wait -n || failed=1; done
  exit "$failed"
}

run() { turn model "$@"; } # MODEL EXPECTED [OPTIONS…]

model() {
  local name
  name=$(basename "$1" .ron)
  written "$name" "$2" "$programs/mpcd" run "$1" --threads 1 "${@:3}"
}

written() { # NAME EXPECTED COMMAND…
  mkdir -p "$out"
  if ! "${@:3}" -o "$out/$1" > "$out/$1.log" 2>&1; then
    cat "$out/$1.log"
    exit 1
  fi
  if ! "$python" tests/vtk/read_outputs.py "$out/$1" --expect "$2" > "$out/$1.txt"; then
    grep -v '^ok' "$out/$1.txt"
    exit 1
  fi
  printf '%s: %s\n' "$1" "$(tail -n 1 "$out/$1.txt")"
}

run models/contact/bouncing-balls.ron contacts
run models/contact/sliding-to-rolling.ron contacts --set time.end=0.2
run models/contact/spheres-in-a-box.ron contacts --set time.end=0.1
run models/contact/newtons-cradle.ron contacts --set time.end=0.3 --set output.every=10
run models/contact/smooth-pour.ron contacts --set time.end=0.02
run models/contact/bonded-beam.ron contacts,boxes --set time.end=0.01
run models/contact/wrecking-ball.ron contacts,boxes --set time.end=0.05
run models/masonry/dry-stone-wall.ron contacts,boxes --set time.end=0.1
run models/masonry/arch-tilting.ron contacts,boxes --set time.end=0.2
# of its first steps, the hardest, as many sweeps as frames need
run models/granular/column-collapse.ron contacts --set time.end=0.005 --set output.every=5 --set physics[0].max_iterations=50
run models/granular/rotating-drum.ron contacts --set time.end=0.05
run models/granular/silo.ron contacts --set time.end=0.01
run models/granular/biaxial.ron contacts --set time.end=0.01
run models/granular/pressed-spheres.ron contacts --set time.end=0.02
run models/granular/capsules.ron contacts,boxes --set time.end=0.1
run models/granular/polyhedra-in-a-box.ron contacts,boxes --set time.end=0.15
run models/deformable/sheared-wall.ron contacts,boxes,meshes --set time.end=0.005
run models/deformable/sheared-wall-3d.ron contacts,boxes,meshes --set time.end=0.001
run models/deformable/bonded-arch.ron contacts,boxes,meshes --set time.end=0.012
run models/deformable/rubber-between-rollers.ron contacts,boxes,meshes --set time.end=0.06
run models/deformable/foam-cell.ron contacts,meshes --set time.end=0.02
run models/deformable/hot-punch.ron contacts,thermal,meshes --set time.end=0.13
run models/coupled/branly.ron contacts,electrical
run models/coupled/oxidised-compaction.ron contacts,electrical --set time.end=0.01
run models/coupled/self-heating.ron contacts,electrical,thermal
run models/coupled/fluidised-bed.ron contacts,darcy --set time.end=0.02
run models/coupled/air-driven-plug.ron contacts,boxes,darcy --set time.end=0.05
run models/coupled/sand-clock.ron contacts,darcy --set time.end=0.01
run models/coupled/sand-above-air.ron contacts,darcy --set time.end=0.001
run models/coupled/consolidation.ron contacts,darcy --set time.end=0.01
run models/coupled/liquefaction.ron contacts,darcy,electrical --set time.end=0.02
run models/coupled/spark-sintering.ron contacts,darcy --set time.end=0.01
run models/coupled/hot-bed.ron contacts,darcy --set time.end=0.01
run models/coupled/silo-ratcheting.ron contacts --set time.end=0.01
run models/coupled/brake.ron contacts,boxes,thermal --set time.end=0.02
run models/coupled/compacted-discs.ron contacts,electrical,thermal --set time.end=0.02
run models/coupled/settling-in-fluid.ron contacts,darcy --set time.end=0.05

turn written sliding-block contacts,boxes "$programs/custom-physics" run examples/custom-physics/sliding-block.ron --set time.end=0.2
end
