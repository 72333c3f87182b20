import { expect, test } from 'vitest';
import { unwrapped } from './countries';

test('An outline that crosses the antimeridian continues beyond 180 degrees', () => {
  expect(
    unwrapped([
      [179, 65],
      [-178, 66],
      [-178, 67],
      [179, 68],
      [179, 65],
    ]),
  ).toEqual([
    [179, 65],
    [182, 66],
    [182, 67],
    [179, 68],
    [179, 65],
  ]);
});

test('An outline around the South Pole is closed along the pole', () => {
  expect(
    unwrapped([
      [-180, -70],
      [-60, -75],
      [60, -70],
      [179, -70],
      [-180, -70],
    ]),
  ).toEqual([
    [-180, -70],
    [-60, -75],
    [60, -70],
    [179, -70],
    [180, -70],
    [180, -90],
    [-180, -90],
    [-180, -70],
  ]);
});
