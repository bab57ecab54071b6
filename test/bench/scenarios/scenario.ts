import { type Contender, type Figures, median, type ReportRow } from '../figures.ts';
import type { ApiServer, Lab, Subject } from '../lab.ts';
import { type HttpVersion, type LoadRequest } from '../load/http-client.ts';
import { withClients } from '../lab.ts';
import { press } from '../load/press.ts';
import type { BenchSettings } from '../settings.ts';

/** What a scenario works with. */
export interface Bench {
  readonly lab: Lab;
  /** Fills every server with the collection, the first time it is called. */
  readonly fill: () => Promise<void>;
  /** The bare program that answers with bytes it has been given, started on first use. */
  readonly bareResponses: () => Promise<Subject>;
  /** Prints and keeps a row. */
  readonly report: (row: ReportRow) => void;
}

/** One scenario; its rows' names begin with its name. */
export interface Scenario {
  readonly name: string;
  run(bench: Bench): Promise<void>;
}

/** How each contender is measured once. */
export type Measures = Partial<Readonly<Record<Contender, () => Promise<Figures>>>>;

/** Measures contenders by turns, so that what else the machine does falls on all of them; answers the median of each. */
export async function compare(
  rounds: number,
  compared: keyof Figures,
  measures: Measures,
): Promise<Partial<Record<Contender, Figures>>> {
  // Object.entries loses the type of the keys.
  const entries = Object.entries(measures) as [Contender, () => Promise<Figures>][];
  const taken = entries.map(([contender, measure]) => ({ contender, measure, figures: [] as Figures[] }));
  for (let round = 0; round < rounds; round++) for (const { measure, figures } of taken) figures.push(await measure());
  return Object.fromEntries(taken.map(({ contender, figures }) => [contender, median(figures, compared)]));
}

/** How many turns a measurement is cut into where a few microseconds count: the mood of a machine changes within seconds. */
const shortTurns = 6;

/** As `compare`, for small differences: after a warm-up contenders take many short turns. */
export async function compareClosely(
  { rounds, seconds }: BenchSettings,
  compared: keyof Figures,
  measuresFor: (seconds: number) => Measures,
): Promise<Partial<Record<Contender, Figures>>> {
  await compare(1, compared, measuresFor(seconds));
  return compare(rounds * shortTurns, compared, measuresFor(seconds / shortTurns));
}

/** What a measurement over HTTP presses with. */
export interface HttpLoad {
  readonly clients: number;
  readonly seconds: number;
  readonly version?: HttpVersion;
}

/** Measures one kind of request against one process; the connections are opened before. */
export function pressHttp(
  subject: Subject,
  load: HttpLoad,
  request: (turn: number) => LoadRequest,
): () => Promise<Figures> {
  return () =>
    withClients(
      subject,
      load.clients,
      (clients) =>
        press({ pid: subject.pid, clients: load.clients, seconds: load.seconds }, (client, turn) =>
          sendBy(clients, client, request(turn)),
        ),
      load.version,
    );
}

function sendBy(
  clients: readonly { send(request: LoadRequest): Promise<Buffer> }[],
  client: number,
  request: LoadRequest,
): Promise<Buffer> {
  const chosen = clients[client];
  if (!chosen) throw new RangeError(`there is no client ${client}`);
  return chosen.send(request);
}

/** Measures for each API server of a lab, by contender. */
export function ofServers(lab: Lab, measure: (server: ApiServer) => () => Promise<Figures>): Measures {
  return Object.fromEntries(lab.servers.map((server) => [server.contender, measure(server)]));
}

/** The answer of this server to a path, or to a request. */
export function responseOf(server: ApiServer, asked: string | LoadRequest): Promise<Buffer> {
  const request = typeof asked === 'string' ? { path: asked } : asked;
  return withClients(server, 1, async ([client]) => (await client?.send(request)) ?? Buffer.alloc(0));
}
