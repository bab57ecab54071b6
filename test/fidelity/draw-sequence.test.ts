import assert from 'node:assert/strict';
import { areas } from './areas/areas.ts';
import { drawSequence } from './draw-sequence.ts';
import { allSubjects } from './subjects.ts';

const subjects = allSubjects();

describe('Drawn sequences', () => {
  it('follow from their seeds', () => {
    for (let seed = 0; seed < 50; seed++) {
      const one = JSON.stringify(drawSequence(seed, areas, subjects).sequence);
      assert.equal(JSON.stringify(drawSequence(seed, areas, subjects).sequence), one);
    }
  });

  it('are of every area and of every kind', () => {
    const drawn = Array.from({ length: 3_000 }, (_, seed) => drawSequence(seed, areas, subjects));
    assert.equal(new Set(drawn.map(({ sequence }) => sequence.area)).size, areas.length);
    assert.deepEqual(
      subjects.filter(({ key }) => !drawn.some(({ subject }) => subject.key === key)).map(({ key }) => key),
      [],
    );
  });

  it('have as many placeholders as can be filled', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { sequence } = drawSequence(seed, areas, subjects);
      const remembered = new Set(sequence.steps.map(({ remember }) => remember));
      const placeholders = JSON.stringify(sequence.steps).matchAll(/\{\{([\w.]+)\}\}/g);
      for (const [, placeholder = ''] of placeholders) {
        const [name, field] = placeholder.split('.');
        assert.ok(
          field === undefined ? ['ns', 'name', 'uid', 'rv'].includes(placeholder) : remembered.has(name),
          placeholder,
        );
      }
    }
  });
});
