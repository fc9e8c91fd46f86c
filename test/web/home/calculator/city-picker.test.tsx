import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { wrapInSignedInPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { CityPicker } from '#web/routes/home/calculator/city-picker.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const createPlace = (name: string) => ({
  lat: name.length,
  lon: 0,
  display_name: name,
  address: { city: name, country: 'United States', country_code: 'us' },
});

/** Opens the city picker with fake timers. */
function openCityPicker() {
  vi.useFakeTimers();
  const call = vi.fn().mockResolvedValueOnce([createPlace('Austin'), createPlace('Boston')]);
  const onChoose = vi.fn();
  const api = { ...createApiClient(), call };
  const credit = { text: 'a map', url: 'https://map.example' };
  const picker = <CityPicker end="from" credit={credit} onChoose={onChoose} onClose={() => {}} />;
  render(wrapInSignedInPage(picker, { api }));
  const field = screen.getByRole<HTMLInputElement>('combobox');
  const advanceTime = () => act(() => vi.advanceTimersByTimeAsync(1000));
  const type = async (value: string) => {
    fireEvent.change(field, { target: { value } });
    await advanceTime();
  };
  return { call, onChoose, field, type, advanceTime };
}

test('a short query cancels the city search and clears its results', async () => {
  const { call, type } = openCityPicker();
  await type('ton');
  expect(screen.getByText('2 cities found')).toBeTruthy();
  const signals: AbortSignal[] = [];
  call.mockImplementation((_name: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  await type('tons');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await type('to');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await type('tow');
  expect(screen.getByText('Searching…')).toBeTruthy();
  expect(screen.queryAllByRole('option')).toEqual([]);
});

test('a late response doesn’t move the highlight to another city', async () => {
  const { call, onChoose, field, type, advanceTime } = openCityPicker();
  await type('ton');
  const lateResponse = Promise.withResolvers<unknown>();
  call.mockReturnValueOnce(lateResponse.promise);
  await type('tons');
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  lateResponse.resolve([createPlace('Boston'), createPlace('Austin')]);
  await advanceTime();
  fireEvent.submit(field.form ?? field);
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ displayName: 'Austin' }));
});
