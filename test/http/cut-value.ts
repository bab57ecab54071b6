import assert from 'node:assert/strict';
import type { MemoryStore } from '../../src/storage/memory/memory-store.ts';

/** Cuts the end of a stored value, so that it cannot be read any more. */
export async function cutValue(memory: MemoryStore, key: string): Promise<void> {
  const { current } = await memory.get(key);
  assert.ok(current, key);
  await memory.update(key, Buffer.from(current.value).subarray(0, current.value.length - 3), current.revision);
}
