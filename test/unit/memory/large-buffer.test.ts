import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { bufferOf, joinBuffers, largeBytes } from '../../../src/memory/large-buffer.ts';
import { SharedBuffers } from '../../../src/memory/shared-buffers.ts';

/** True for memory that V8 takes from the system for this buffer alone. */
function isOfPages({ buffer }: Buffer): boolean {
  return buffer instanceof ArrayBuffer && buffer.resizable;
}

describe('large buffers', () => {
  it('have the bytes of a text, in pages of their own if they are many', () => {
    for (const text of ['', 'ü', 'é'.repeat(largeBytes - 1), 'é'.repeat(largeBytes)]) {
      const bytes = bufferOf(text);
      assert.ok(bytes.equals(Buffer.from(text)));
      assert.equal(isOfPages(bytes), text.length >= largeBytes);
    }
  });

  it('have the bytes of those that they join', () => {
    const few = [randomBytes(10), Buffer.alloc(0), randomBytes(1_000)];
    const many = [...few, randomBytes(largeBytes)];
    for (const buffers of [[], few, many]) {
      const joined = joinBuffers(buffers);
      assert.ok(joined.equals(Buffer.concat(buffers)));
      assert.equal(isOfPages(joined), buffers === many);
    }
  });
});

describe('SharedBuffers', () => {
  it('gives each its own range of a few large buffers', () => {
    const shared = new SharedBuffers();
    const lengths = Array.from({ length: 500 }, (_, index) => (index * 37) % 5_000);
    const originals = [...lengths, 60_000, 300_000].map((length) => randomBytes(length));
    const copies = originals.map((bytes) => shared.copy(bytes));
    for (const [index, copy] of copies.entries()) assert.ok(copy.equals(originals[index] ?? assert.fail()));
    const memory = new Set(copies.map(({ buffer }) => buffer));
    assert.ok(memory.size <= 30, `${memory.size} buffers`);
    assert.ok(copies.every(isOfPages));
  });
});
