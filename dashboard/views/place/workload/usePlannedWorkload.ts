import { CombinedError, useClient } from 'urql';
import { useAsked, type Answer } from '../../../api/useAnswer';
import type { Catalog } from '../../../components/useCatalog';
import {
  GrownWorkloadDocument,
  PlanWorkloadDocument,
  type ClaimInput,
  type PlanWorkloadQuery,
} from '../../../generated/place/operations';
import { grownInput, workloadInput, type Member, type PlanOptions, type Rule } from './workload';

export interface Workload {
  readonly members: readonly Member[];
  readonly rules: readonly Rule[];
  readonly options: PlanOptions;
}

/** The plans of a workload, and the input that they are for. */
export interface PlannedWorkload {
  readonly plans: NonNullable<PlanWorkloadQuery['planWorkload']>;
  readonly input: ClaimInput;
}

/** Plans a workload when it is asked to. Each plan is for new consumers of its own, and those of a named workload. */
export function usePlannedWorkload(catalog: Catalog) {
  const client = useClient();
  return useAsked(
    async ({ members, rules, options }: Workload, requestPolicy): Promise<Answer<PlannedWorkload>> => {
      const { grow, room, stay } = options;
      let input = workloadInput(members, rules, catalog);
      if (grow !== null) {
        const known = await client.query(GrownWorkloadDocument, grow, { requestPolicy: 'network-only' });
        const workload = known.data?.workload;
        if (known.error) return { error: known.error };
        if (!workload) return { error: unknownWorkload(grow) };
        input = grownInput(input, workload, grow.name, stay);
      }
      const movable = room && { consumerTypes: [room.type] };
      const makeRoom = movable && { maxMoves: room.maxMoves, movable };
      const { data, error } = await client.query(
        PlanWorkloadDocument,
        { input, makeRoom },
        { requestPolicy },
      );
      return data?.planWorkload ? { data: { plans: data.planWorkload, input } } : { error };
    },
  );
}

const unknownWorkload = ({ projectId, name }: NonNullable<PlanOptions['grow']>): CombinedError =>
  new CombinedError({ graphQLErrors: [`The project ${projectId} has no workload "${name}".`] });
