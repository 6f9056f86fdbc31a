import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { describe, type Failure } from '../../../api/client';
import { FlavorHeadroomDocument, type FlavorHeadroomQuery } from '../../../generated/fleet/operations';
import type { WhatIfInput } from '../../../generated/fleet/operations';
import { readFlavors, requestOf, writeFlavor, type Flavor } from './flavors';

/** The count at which the server stops counting. A higher count takes longer. */
export const UP_TO = 2_000;

type Headroom = NonNullable<FlavorHeadroomQuery['headroom']>;

/** A count, or the reason why there is none. */
export type Count = Headroom | Failure;

export interface Zone {
  /** Null: the whole fleet. */
  readonly uuid: string | null;
  readonly name: string;
}

/** The counts of a fleet; undefined: of the current one. */
interface Counts {
  readonly fleet: string | undefined;
  readonly found: ReadonlyMap<string, Count>;
}

const NONE: Counts['found'] = new Map();

export const countKey = (flavor: Flavor, zone: Zone): string => `${writeFlavor(flavor)} ${zone.uuid}`;

/**
 * Counts how many more consumers of each flavor fit into each zone. Sends one request at a time to
 * limit the load on the server, and shows the counts of a zone together: each change of the view costs
 * up to 20 ms. Another `round` counts again, and so does another fleet. The previous counts are shown until then.
 */
export function useHeadroom(
  flavors: string,
  zones: readonly Zone[],
  round: number,
  whatIf: WhatIfInput | undefined,
): ReadonlyMap<string, Count> {
  const client = useClient();
  const fleet = whatIf && JSON.stringify(whatIf);
  const [counts, setCounts] = useState<Counts>({ fleet, found: NONE });
  useEffect(() => {
    let isOver = false;
    const count = async (flavor: Flavor, zone: Zone): Promise<Count> => {
      const variables = {
        request: requestOf(flavor, zone.uuid),
        upTo: UP_TO,
        whatIf: fleet ? (JSON.parse(fleet) as WhatIfInput) : undefined,
      };
      const { data, error } = await client.query(FlavorHeadroomDocument, variables, {
        requestPolicy: 'network-only',
      });
      return data?.headroom ?? describe(error!);
    };
    const countAll = async (): Promise<void> => {
      for (const zone of zones) {
        const found: [key: string, count: Count][] = [];
        for (const flavor of readFlavors(flavors)) {
          found.push([countKey(flavor, zone), await count(flavor, zone)]);
          if (isOver) return;
        }
        setCounts((before) => ({
          fleet,
          found: new Map([...(before.fleet === fleet ? before.found : NONE), ...found]),
        }));
      }
    };
    void countAll();
    return () => {
      isOver = true;
    };
  }, [client, flavors, zones, round, fleet]);
  return counts.fleet === fleet ? counts.found : NONE;
}
