import { useClient } from 'urql';
import { useAsked, type Answer } from '../../api/useAnswer';
import {
  DrainPlanDocument,
  type DrainPlanQuery,
  type DrainPlanQueryVariables,
} from '../../generated/drain/operations';

export type Plan = NonNullable<DrainPlanQuery['planDrain']>;

export type Variables = Omit<DrainPlanQueryVariables, 'after'>;

/** The maximum number of parts that the server plans without executed moves. */
const MAX_PARTS = 5;

/** Plans a drain when it is asked to, and joins the parts of the plan. */
export function useDrainPlan() {
  const client = useClient();
  return useAsked(async (variables: Variables, requestPolicy): Promise<Answer<Plan>> => {
    let plan: Plan | undefined;
    for (let parts = 0; parts < MAX_PARTS && plan?.next !== null; parts++) {
      const asked = { ...variables, after: plan?.next };
      const { data, error } = await client.query(DrainPlanDocument, asked, { requestPolicy });
      const part = data?.planDrain;
      if (error || !part) return { error };
      plan = { ...part, moves: [...(plan?.moves ?? []), ...part.moves] };
    }
    return { data: plan };
  });
}
