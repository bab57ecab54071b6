import assert from 'node:assert/strict';
import { formatDuration, normaliseDuration, parseDuration } from '../../../src/meta/duration.ts';
import { formatTime, normaliseMicroTime, normaliseTime, parseTime } from '../../../src/meta/time.ts';

describe('time', () => {
  it('is written in UTC and whole seconds', () => {
    assert.equal(normaliseTime('2020-02-29T23:59:59.999+01:30'), '2020-02-29T22:29:59Z');
    assert.equal(formatTime(0), '1970-01-01T00:00:00Z');
    assert.equal(parseTime('1970-01-01T00:00:01.5Z'), 1500);
  });

  const malformed = [
    '',
    '2020-01-01',
    '2020-01-01T00:00:00',
    '2021-02-29T00:00:00Z',
    '2020-13-01T00:00:00Z',
    '2020-01-01T24:00:00Z',
    '2020-01-01t00:00:00z',
    '2020-01-01T00:00:60Z',
    '0000-01-01T00:00:00+01:00',
    'x'.repeat(1_000_000),
  ];
  for (const text of malformed) {
    it(`refuses ${JSON.stringify(text.slice(0, 30))}`, () => assert.equal(normaliseTime(text), undefined));
  }

  it('has the days of the calendar', () => {
    for (const year of [2023, 2024, 2100]) {
      for (let month = 1; month <= 12; month++) {
        for (let day = 1; day <= 31; day++) {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T00:00:00Z`;
          const exists = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
          assert.equal(normaliseTime(text), exists ? text : undefined, text);
        }
      }
    }
  });

  it('has exactly six decimals where it counts microseconds', () => {
    assert.equal(normaliseMicroTime('2020-01-01T01:00:00.000001+01:00'), '2020-01-01T00:00:00.000001Z');
    assert.equal(normaliseMicroTime('2020-01-01T00:00:00Z'), undefined);
    assert.equal(normaliseMicroTime('2020-01-01T00:00:00.1234567Z'), undefined);
  });
});

describe('duration', () => {
  const canonical: readonly (readonly [text: string, canonical: string | undefined])[] = [
    ['0', '0s'],
    ['1h30m', '1h30m0s'],
    ['90m', '1h30m0s'],
    ['1.5s', '1.5s'],
    ['-2ms', '-2ms'],
    ['1500us', '1.5ms'],
    ['1ns', '1ns'],
    ['.5h', '30m0s'],
    ['100s', '1m40s'],
    ['', undefined],
    ['1', undefined],
    ['h', undefined],
    ['1d', undefined],
    ['1h x', undefined],
    ['9999999999h', undefined],
  ];
  for (const [text, expected] of canonical) {
    it(expected ? `writes ${text} as ${expected}` : `refuses ${JSON.stringify(text)}`, () => {
      assert.equal(normaliseDuration(text), expected);
    });
  }

  it('counts nanoseconds', () => {
    assert.equal(parseDuration('1h'), 3_600_000_000_000n);
    assert.equal(formatDuration(-(2n ** 63n)), '-2562047h47m16.854775808s');
  });
});
