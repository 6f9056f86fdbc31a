import type { WhatIfInput } from '../generated/client/operations.js';
import { reference } from './arguments.js';
import { Failure } from './failure.js';
import { text, texts, type OptionValues } from './options.js';
import type { PLAN_OPTIONS } from './planFile.js';

/** The options of a search in a modified fleet. */
export const WHAT_IF = {
  without: texts(
    '--without <provider>',
    'search as if the tree of this provider were removed; repeatable',
    reference,
  ),
  withoutAggregate: text(
    '--without-aggregate <aggregate>',
    'search as if the trees with a provider in this aggregate were removed',
    reference,
  ),
  withCopies: texts(
    '--with-copies <provider=number>',
    'search as if there were so many empty copies of the tree of this provider; repeatable',
    (value) => {
      const [copyOf, count] = assignment('--with-copies', value, /^[1-9]\d*$/, 'host-1=20');
      return { copyOf: reference(copyOf), count };
    },
  ),
  scale: texts(
    '--scale <class=factor>',
    'search as if the capacities of a class were so many times as large; repeatable',
    (value) => {
      const [resourceClass, factor] = assignment('--scale', value, /^\d+(\.\d+)?$/, 'VCPU=1.5');
      return { resourceClass, factor };
    },
  ),
};

/** Returns the modified fleet. Undefined if no option is given. */
export function whatIfOf(options: OptionValues<typeof WHAT_IF>): WhatIfInput | undefined {
  const { without, withoutAggregate, withCopies: add, scale } = options;
  if (without !== undefined && withoutAggregate !== undefined)
    throw Failure.usage('name the trees to remove by --without or by --without-aggregate, not both');
  const providers = without && { providers: without };
  const remove = withoutAggregate === undefined ? providers : { aggregate: withoutAggregate };
  return (remove ?? add ?? scale) ? { remove, add, scale } : undefined;
}

/** Returns the modified fleet for a plan of moves. @throws Failure unless the plan is only shown */
export function whatIfOfPlan(
  options: OptionValues<typeof WHAT_IF & typeof PLAN_OPTIONS>,
): WhatIfInput | undefined {
  const whatIf = whatIfOf(options);
  if (whatIf !== undefined && (!options.dryRun || options.save !== undefined))
    throw Failure.usage('a plan for a modified fleet needs --dry-run, and cannot be saved');
  return whatIf;
}

function assignment(
  option: string,
  text: string,
  number: RegExp,
  example: string,
): [name: string, number: number] {
  const [, name, amount] = /^(.+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || !number.test(amount))
    throw Failure.usage(`${option} "${text}" must be a name and a number, such as ${example}`);
  return [name, Number(amount)];
}
