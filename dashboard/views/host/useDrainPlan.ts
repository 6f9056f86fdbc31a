import { useClient } from 'urql';
import { useAsked, type Answer } from '../../api/useAnswer';
import {
  DrainOfHostDocument,
  type DrainOfHostQuery,
  type DrainOfHostQueryVariables,
} from '../../generated/host/operations';

export type Plan = NonNullable<DrainOfHostQuery['planDrain']>;

type Variables = Omit<DrainOfHostQueryVariables, 'after'>;

/** The maximum number of parts that the server plans without executed moves. */
const MAX_PARTS = 5;

/** Plans a drain when it is asked to, and joins the parts of the plan. */
export function useDrainPlan() {
  const client = useClient();
  return useAsked(async (variables: Variables): Promise<Answer<Plan>> => {
    let plan: Plan | undefined;
    for (let parts = 0; parts < MAX_PARTS && plan?.next !== null; parts++) {
      const asked = { ...variables, after: plan?.next };
      const { data, error } = await client.query(DrainOfHostDocument, asked, {
        requestPolicy: 'network-only',
      });
      const part = data?.planDrain;
      if (error || !part) return { error };
      plan = { ...part, moves: [...(plan?.moves ?? []), ...part.moves] };
    }
    return { data: plan };
  });
}
