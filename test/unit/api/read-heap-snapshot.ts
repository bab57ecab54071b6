// A thread that starts a server, reads a snapshot of its own heap from it, and posts the response.
import { parentPort } from 'node:worker_threads';
import { startFixture } from './fixture.ts';

await using server = await startFixture({ options: { profiling: true, requestTimeoutMs: 600_000 } });
const { status, text } = await server.send({ path: '/debug/heap' });
parentPort?.postMessage({ status, text }, []);
