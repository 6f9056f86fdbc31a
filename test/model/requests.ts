import type { Random } from '../oracle/random.js';
import type { Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { amounts } from '../support/claims.js';
import type { AllocationRequest } from '../support/shapes.js';
import { isClass, isTrait } from './checks.js';
import type { RequestInput } from './inputs.js';
import { CLASSES, TRAITS } from './randomInputs.js';
import type { State } from './state.js';

/** An allocation request in the form of the API, selected by `ALLOCATION_REQUEST`. */
export type AllocationRequestAnswer = Pick<AllocationRequest, 'allocations' | 'mappings'>;

export const ALLOCATION_REQUEST = `
  allocations { resourceProvider { uuid } resources { resourceClass { name } amount } }
  mappings { suffix resourceProviders { uuid } }`;

/** Draws an unsuffixed group, and sometimes a granular one. */
export function drawRequest(random: Random, state: State): CaseRequest {
  const classes = CLASSES.filter((name) => isClass(state, name));
  const traits = TRAITS.filter((name) => isTrait(state, name));
  const group = (suffix: string) => ({
    suffix,
    resources: Object.fromEntries(
      random.sample(classes, random.between(1, 2)).map((name) => [name, random.between(1, 4)]),
    ),
    // no trait is both
    ...random.pick([{}, {}, { required: [[random.pick(traits)]] }, { forbidden: [random.pick(traits)] }]),
  });
  return { groups: [group(''), ...(random.chance(30) ? [group('_G')] : [])] };
}

export function inputOf({ groups }: CaseRequest): RequestInput {
  return {
    groups: groups.map(({ suffix, resources, required = [], forbidden = [] }) => ({
      suffix,
      resources: amounts(resources!),
      requiredTraits: required,
      forbiddenTraits: forbidden,
    })),
  };
}

export function caseOf({ groups }: RequestInput): CaseRequest {
  return {
    groups: groups.map(({ suffix, resources, requiredTraits, forbiddenTraits }) => ({
      suffix,
      resources: Object.fromEntries(resources.map(({ resourceClass, amount }) => [resourceClass, amount])),
      required: requiredTraits,
      forbidden: forbiddenTraits,
    })),
  };
}

export function candidateOf({ allocations, mappings }: AllocationRequestAnswer): Candidate {
  return {
    allocations: Object.fromEntries(
      allocations.map(({ resourceProvider, resources }) => [
        resourceProvider.uuid,
        Object.fromEntries(resources.map(({ resourceClass: { name }, amount }) => [name, amount])),
      ]),
    ),
    mappings: Object.fromEntries(
      mappings.map(({ suffix, resourceProviders }) => [
        suffix,
        resourceProviders.map(({ uuid }) => uuid).sort(),
      ]),
    ),
  };
}
