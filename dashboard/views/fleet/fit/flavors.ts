import { DEFAULT_CONDITIONS } from '../../../components/requestByAmounts';
import { amountFault, readAmounts } from '../../../components/terms';
import type { AllocationCandidatesInput } from '../../../generated/fleet/operations';

/** The amounts that a kind of consumer requests. */
export interface Flavor {
  readonly name: string;
  readonly resources: readonly { readonly resourceClass: string; readonly amount: number }[];
}

/** The flavors that an address without flavors selects. */
export const STANDARD_FLAVORS =
  'small=VCPU:2,MEMORY_MB:4096;medium=VCPU:8,MEMORY_MB:16384;large=VCPU:32,MEMORY_MB:65536';

const FLAVOR = /^([^=;,:]{1,30})=(.+)$/;

/**
 * Reads flavors in the format of the address, such as `small=VCPU:2,MEMORY_MB:4G;large=VCPU:32`.
 * Omits malformed ones.
 */
export function readFlavors(text: string): Flavor[] {
  return text.split(';').flatMap((part) => {
    const [, name, resources] = FLAVOR.exec(part.trim()) ?? [];
    if (name === undefined || flavorFault(part) !== null) return [];
    return [{ name, resources: readAmounts(resources.split(',')) }];
  });
}

/** Returns what is wrong with a flavor, or null. */
export function flavorFault(text: string): string | null {
  const [, , resources] = FLAVOR.exec(text.trim()) ?? [];
  if (resources === undefined) return `"${text}" needs a name and amounts, such as gpu=VCPU:4,VGPU:1.`;
  return (
    resources
      .split(',')
      .map(amountFault)
      .find((fault) => fault !== null) ?? null
  );
}

const writeAmounts = ({ resources }: Flavor): string =>
  resources.map(({ resourceClass, amount }) => `${resourceClass}:${amount}`).join(',');

export const writeFlavor = (flavor: Flavor): string => `${flavor.name}=${writeAmounts(flavor)}`;

/** Returns the link to the candidates of a flavor. */
export const placeHref = (flavor: Flavor): string => `/place?resources=${writeAmounts(flavor)}`;

export const writeFlavors = (flavors: readonly Flavor[]): string => flavors.map(writeFlavor).join(';');

/** Returns the request for one consumer of a flavor in a zone. Null selects the whole fleet. */
export function requestOf({ resources }: Flavor, zone: string | null): AllocationCandidatesInput {
  return {
    groups: [{ resources: [...resources] }],
    ...DEFAULT_CONDITIONS,
    ...(zone !== null && { rootMemberOf: [[{ uuid: zone }]] }),
  };
}
