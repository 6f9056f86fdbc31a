// A client beside an attack. It has its own process, so that the attacker's work does not count as
// work of the server. It sends two operations on one connection and probes /readyz on new
// connections, in turn, and reads the memory of the server's process. The message { url, pid,
// question, headers } of its parent process starts it. The next message ends it, and it sends its
// measurements.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { Buffer } from 'node:buffer';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 20;
/** No answer within this time is a failure. */
const PATIENCE_MS = 20_000;

/** The client has an address of its own: the server bounds the unread answers of each address. */
const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: '127.0.0.2' });
const delays = monitorEventLoopDelay({ resolution: 5 });
const figures = {
  asked: 0,
  wrong: 0,
  longest: 0,
  longestProbe: 0,
  sum: 0,
  peak: 0,
  own: 0,
  firstWrong: null,
};
const access = {};
const PROBE = null;
let isOver = false;

process.once('message', ({ url, pid, question, headers }) => {
  Object.assign(access, headers);
  process.once('message', () => (isOver = true));
  process.once('disconnect', () => process.exit());
  void watch(url, pid, question);
});

async function watch(url, pid, question) {
  const questions = [...[{ query: '{ __typename }' }, question].map((each) => JSON.stringify(each)), PROBE];
  const expected = [];
  for (const each of questions) expected.push(dataOf(await ask(url, each)));
  process.send({ ready: expected });
  delays.enable();
  while (!isOver) {
    const index = figures.asked % questions.length;
    await once(url, questions[index], expected[index]);
    figures.peak = Math.max(figures.peak, residentMiB(pid));
    await sleep(PAUSE_MS);
  }
  figures.own = delays.max / 1e6;
  process.send({ figures }, () => process.exit());
}

async function once(url, question, expected) {
  const began = performance.now();
  const answer = await ask(url, question).catch((error) => `failed: ${error.message}`);
  const ms = performance.now() - began;
  figures.asked++;
  figures.sum += ms;
  const longest = question === PROBE ? 'longestProbe' : 'longest';
  figures[longest] = Math.max(figures[longest], ms);
  if (dataOf(answer) === expected) return;
  figures.wrong++;
  figures.firstWrong ??= answer.slice(0, 500);
}

/** The data of an answer, or the status of a probe, as text. */
function dataOf(answer) {
  try {
    const { data, status } = JSON.parse(answer);
    return JSON.stringify(data ?? status);
  } catch {
    return answer;
  }
}

function ask(url, body, isAgain = false) {
  return new Promise((resolve, reject) => {
    const sent = request(...(body === PROBE ? probe(url) : operation(url, body)), (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', (error) => {
      // a server may close an idle connection just when the client sends on it
      if (sent.reusedSocket && error.code === 'ECONNRESET' && !isAgain) resolve(ask(url, body, true));
      else reject(error);
    });
    sent.end(body ?? undefined);
  });
}

function probe(url) {
  const options = { agent: false, localAddress: agent.options.localAddress, timeout: PATIENCE_MS };
  return [new URL('/readyz', url), options];
}

function operation(url, body) {
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return [url, { method: 'POST', agent, headers: { ...length, ...access }, timeout: PATIENCE_MS }];
}

function residentMiB(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // the process has ended, or the system does not report it
  }
}
