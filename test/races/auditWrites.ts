import { addToGroup, groupBy } from '../../src/model/collections.js';
import { isEmptying, projectOf, type Attempt, type WriteLog, type Wanted } from './writeLog.js';
import { endOf } from './client.js';
import type { HistoryRow } from './history.js';
import type { Names } from './names.js';

/**
 * Compares the log of all writes with the history. An acknowledged write is there completely and
 * once. A rejected write left nothing. A write with an unknown outcome is there completely or not
 * at all. After each write a consumer had the allocations of this write.
 */
export function auditWrites(history: readonly HistoryRow[], log: WriteLog, names: Names): string[] {
  const marks = countMarks(history, names);
  const attempts = new Map(log.attempts.map((attempt) => [projectOf(attempt.number), attempt]));
  return [
    ...log.attempts.flatMap((attempt) => auditAttempt(attempt, marks, names)),
    ...auditConsumers(history, attempts, names),
    ...auditEmptied(history, log),
  ];
}

const consumerMark = (project: string, consumer: string): string => `${project} ${consumer}`;
const inventoryMark = (reserved: number, provider: string, resourceClass: string): string =>
  `${projectOf(reserved)} ${provider} ${resourceClass}`;

/**
 * Counts how often each mark was written: on consumers, and on inventories with the resulting
 * generation of the provider.
 */
function countMarks(history: readonly HistoryRow[], { providers, classes }: Names): Map<string, number[]> {
  const marks = new Map<string, number[]>();
  for (const row of history) {
    if (row.present === 0 || row.what === 'allocation' || row.what === 'provider') continue;
    const mark =
      row.what === 'consumer'
        ? consumerMark(row.project!, row.consumer!)
        : inventoryMark(row.reserved!, providers.get(row.providerId!)!.uuid, classes.get(row.classId!)!);
    addToGroup(marks, mark, row.generation!);
  }
  return marks;
}

function auditAttempt(attempt: Attempt, marks: ReadonlyMap<string, number[]>, names: Names): string[] {
  const { number, consumers, stocked, outcome } = attempt;
  const parts = [
    ...consumers.flatMap((wanted) =>
      isEmptying(wanted)
        ? []
        : [
            {
              mark: consumerMark(projectOf(number), wanted.consumer),
              generation: (wanted.generation ?? 0) + 1,
            },
          ],
    ),
    ...stocked.flatMap(({ provider, generation, resourceClasses, step = 1 }) =>
      resourceClasses.map((name) => ({
        mark: inventoryMark(number, provider, name),
        generation: generation + step,
      })),
    ),
  ];
  const written = parts.filter(({ mark }) => marks.has(mark));
  const findings = written
    .filter(({ mark, generation }) => marks.get(mark)!.join() !== String(generation))
    .map(
      ({ mark, generation }) =>
        `${mark} was written at the generations ${marks.get(mark)!.join()}, not ${generation}`,
    );
  const isThere = written.length === parts.length;
  const isAbsent = written.length === 0 && !names.projects.has(projectOf(number));
  const isRight = { done: isThere, refused: isAbsent, unknown: isThere || isAbsent }[outcome.kind];
  if (!isRight) {
    findings.push(
      `${attempt.kind} ${number} ended ${endOf(outcome)}, but ${written.length} of its ${parts.length} parts are there`,
    );
  }
  return findings;
}

/**
 * Checks each consumer's rows from one write to the next. Between them its allocations must become
 * those of that write.
 */
function auditConsumers(
  history: readonly HistoryRow[],
  attempts: ReadonlyMap<string, Attempt>,
  names: Names,
): string[] {
  const findings: string[] = [];
  const ofConsumers = history.filter(({ consumer }) => consumer !== null);
  for (const [consumer, rows] of groupBy(ofConsumers, (row) => row.consumer!)) {
    const has = new Map<number, string>();
    rows.forEach((row, at) => {
      if (row.what === 'allocation') {
        if (row.present === 0) has.delete(row.rowId!);
        else has.set(row.rowId!, allocationText(row, names));
      }
      const next = rows.at(at + 1);
      if (next !== undefined && next.what === 'allocation') return;
      const write = rows.slice(0, at + 1).findLast(({ what }) => what === 'consumer');
      const wanted = write?.present === 1 ? wantedBy(attempts.get(write.project!), consumer) : [];
      const given = [...has.values()].sort();
      if (wanted?.join() !== given.join()) {
        findings.push(
          `consumer ${consumer} after ${write?.project ?? 'nothing'} had ${given.join()}, not ${wanted?.join()}`,
        );
      }
    });
  }
  return findings;
}

function allocationText({ providerId, classId, amount }: HistoryRow, { providers, classes }: Names): string {
  return `${providers.get(providerId!)!.uuid} ${classes.get(classId!)} ${amount}`;
}

function wantedBy(attempt: Attempt | undefined, consumer: string): string[] | undefined {
  const wanted = attempt?.consumers.find((each) => each.consumer === consumer);
  return wanted === undefined ? undefined : texts(wanted);
}

/** Returns the same texts as {@link allocationText}. */
function texts({ amounts }: Wanted): string[] {
  return Object.entries(amounts)
    .flatMap(([uuid, classes]) =>
      Object.entries(classes).map(([name, amount]) => `${uuid} ${name} ${amount}`),
    )
    .sort();
}

/**
 * A write that removes all allocations of a consumer leaves no mark. Therefore the ends of
 * consumers are counted.
 */
function auditEmptied(history: readonly HistoryRow[], { attempts }: WriteLog): string[] {
  const ends = new Map<string, { recorded: number; done: number; unknown: number }>();
  const of = (consumer: string) => {
    const end = ends.get(consumer) ?? { recorded: 0, done: 0, unknown: 0 };
    ends.set(consumer, end);
    return end;
  };
  for (const { what, present, consumer } of history) {
    if (what === 'consumer' && present === 0) of(consumer!).recorded += 1;
  }
  for (const { consumers, outcome } of attempts) {
    for (const wanted of consumers) {
      if (isEmptying(wanted) && outcome.kind !== 'refused') of(wanted.consumer)[outcome.kind] += 1;
    }
  }
  return [...ends]
    .filter(([, { recorded, done, unknown }]) => recorded < done || recorded > done + unknown)
    .map(
      ([consumer, end]) => `consumer ${consumer} ended otherwise than the log says: ${JSON.stringify(end)}`,
    );
}
