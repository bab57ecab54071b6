export type { NodeGroup, NodesOption } from '../nodes/agent/node-groups.ts';
export type { Stage } from '../nodes/stages/stage.ts';
export type { RecordOptions } from '../recording/record-changes.ts';
export { recordToFile } from '../recording/record-to-file.ts';
export type { ReplayOptions, ReplaySummary } from '../recording/replay-changes.ts';
export { replayFile } from '../recording/replay-file.ts';
export { startServer, type TestServer, type TestServerOptions } from './start-server.ts';
