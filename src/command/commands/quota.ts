import * as api from '../../generated/client/operations.js';
import { command, listCommand, type Command } from '../command.js';
import { Failure } from '../failure.js';
import { flag, text, texts } from '../options.js';
import { list } from '../output.js';

/** Stands for the number of consumers in place of a class. Names of classes are of upper-case letters. */
const CONSUMERS = 'consumers';

/** Stands for no limit. */
const NONE = 'none';

type Quota = api.QuotaFieldsFragment;

const ownerOf = ({ project, group }: Quota): string =>
  project?.projectId ?? (group ? `group ${group.name}` : 'default');
const ofProject = ({ used }: Quota): string => (used == null ? '-' : String(used));
const leftOf = ({ limit, used }: Quota): string => (used == null ? '-' : String(Math.max(0, limit - used)));

const COLUMNS = {
  owner: ownerOf,
  class: ({ resourceClass }: Quota): string => resourceClass?.name ?? CONSUMERS,
  limit: 'limit',
  used: ofProject,
  held: { wide: ({ held }: Quota): string => (held == null ? '-' : String(held)) },
  left: leftOf,
  default: { wide: 'isDefault' },
} as const;

export const QUOTA_COMMANDS: readonly Command[] = [
  listCommand(
    'quota list',
    'list limits of projects and groups with their usage',
    {
      projectId: text('--project <id>', 'the limits of this project, and the defaults that it has'),
      group: text('--group <name>', 'the limits of this group'),
      resourceClass: text('--class <class>', 'the limits of this class'),
      exceeded: flag('--exceeded', 'limits below the usage'),
      fullest: flag('--fullest', 'the fullest first; otherwise by owner'),
    },
    ({ fullest, ...filter }) => ({
      document: api.ListQuotasDocument,
      variables: { filter, orderBy: fullest ? [{ share: 'DESC' as const }] : [] },
      listOf: ({ quotas }: api.ListQuotasQuery) => quotas,
      columns: COLUMNS,
      none: 'no quotas',
    }),
  ),
  command(
    'quota set [limits...]',
    `set limits, such as VCPU=64 ${CONSUMERS}=10; MEMORY_MB=${NONE} removes a limit`,
    {
      projectId: text('--project <id>', 'of this project'),
      group: text('--group <name>', 'of this group of projects'),
      members: texts('--member <id>', 'the projects of the group, instead of its present ones; repeatable'),
      isDefault: flag('--default', 'of projects without their own limit'),
    },
    async (client, { projectId, group, members, isDefault }, given: string[]) => {
      if ([projectId, group, isDefault || undefined].filter((each) => each !== undefined).length !== 1)
        throw Failure.usage('give one of --project, --group and --default');
      if (members !== undefined && group === undefined) throw Failure.usage('--member is given with --group');
      const limits = given.map(limitOf);
      const input: api.SetQuotasInput = {
        projects: projectId === undefined ? [] : [{ projectId, limits }],
        groups: group === undefined ? [] : [{ group, projects: members, limits }],
        defaults: isDefault ? limits : [],
      };
      const set = await client.mutate(api.SetQuotasDocument, { input });
      const owners = [...set.projects, ...set.groups].flatMap(({ quotas }) => quotas ?? []);
      return list(isDefault ? set.defaults : owners, COLUMNS, 'no limits');
    },
  ),
];

/** Returns the limit of an argument such as VCPU=8, consumers=3 or VCPU=none. */
function limitOf(argument: string): api.QuotaLimitInput {
  const [, name, amount] = /^([A-Z0-9_]+|consumers)=(\d+|none)$/.exec(argument) ?? [];
  if (name === undefined)
    throw Failure.usage(`${argument}: give a limit as CLASS=NUMBER, ${CONSUMERS}=NUMBER or CLASS=${NONE}`);
  const resourceClass = name === CONSUMERS ? null : name;
  return { resourceClass, limit: amount === NONE ? null : Number(amount) };
}
