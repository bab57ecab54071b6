import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AgentServer, startAgentServer } from '../nodes/agent-server/start-agent-server.ts';
import type { ServerOptions } from '../config/server-options.ts';

/** The agent of the stand-in nodes of a test server, and the option that names it. */
interface StartedAgent {
  readonly agent: AgentServer;
  readonly server: Pick<ServerOptions, 'standInAgentFile'>;
  /** Ends the agent and removes its file. */
  readonly stop: () => Promise<void>;
}

/** Starts the agent of stand-in nodes. */
export async function startAgent(): Promise<StartedAgent> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-testing-agent-'));
  const agent = await startAgentServer();
  const standInAgentFile = path.join(directory, 'clientconfig');
  await writeFile(standInAgentFile, agent.clientConfig, { mode: 0o600 });
  const stop = async (): Promise<void> => {
    await agent.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { agent, server: { standInAgentFile }, stop };
}
