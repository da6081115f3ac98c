# SPDX-License-Identifier: MIT
"""OpenMM: forces and energies of a periodic box of molecules by its OpenCL platform, against its reference platform."""

import numpy as np
import openmm
from openmm import unit

random = np.random.default_rng(5)
SIDE, LENGTH = 6, 2.4  # molecules along each side of the box; nanometres


def molecules():
    """Molecules of two charged atoms with a bond, on a lattice with noise: the system and positions in nanometres."""
    system = openmm.System()
    bonds, forces = openmm.HarmonicBondForce(), openmm.NonbondedForce()
    forces.setNonbondedMethod(openmm.NonbondedForce.PME)
    forces.setCutoffDistance(0.9)
    system.setDefaultPeriodicBoxVectors([LENGTH, 0, 0], [0, LENGTH, 0], [0, 0, LENGTH])
    positions = []
    for place in np.ndindex(SIDE, SIDE, SIDE):
        corner = (np.array(place) + 0.3 + random.uniform(0, 0.1, 3)) * LENGTH / SIDE
        for charge, offset in ((0.4, 0), (-0.4, 0.12)):
            system.addParticle(20)
            forces.addParticle(charge, 0.25, 0.6)
            positions.append(corner + [offset, 0, 0])
        atom = len(positions) - 2
        bonds.addBond(atom, atom + 1, 0.11, 20000)
        forces.addException(atom, atom + 1, 0, 0.25, 0)
    system.addForce(bonds)
    system.addForce(forces)
    return system, np.array(positions)


def state(name, system, positions, steps, **properties):
    """Forces and energy after some steps by the platform."""
    integrator = openmm.VerletIntegrator(0.001)
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName(name), properties)
    context.setPositions(positions)
    integrator.step(steps)
    result = context.getState(getForces=True, getEnergy=True, getPositions=True)
    return (result.getForces(asNumpy=True)._value, result.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole),
            result.getPositions(asNumpy=True)._value)


system, positions = molecules()
for precision in ("single", "mixed", "double"):
    for steps in (0, 50):
        got = state("OpenCL", system, positions, steps, Precision=precision)
        expected = state("Reference", system, positions, steps)
        tolerance = 1e-3 if steps == 0 else 2e-2
        error = np.linalg.norm(got[0] - expected[0]) / np.linalg.norm(expected[0])
        assert error < tolerance, (precision, steps, error)
        assert abs(got[1] - expected[1]) < 1e-3 * abs(expected[1]), (precision, steps, got[1], expected[1])
        print(precision, steps, "steps: forces differ by", error)
