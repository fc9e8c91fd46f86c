import { EventEmitter } from 'node:events';
import fs from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { endUpload, saveUpload, takeSlot } from '#server/http/uploads.ts';

/** A connection that sends a form. */
function form(ip: string, checkout: string) {
  const state = { ended: false };
  const destroy = () => {
    state.ended = true;
  };
  const socket = Object.assign(new EventEmitter(), { bytesRead: 0, destroy });
  // The parts of a request that a slot uses.
  const request = {
    ip,
    url: `/api/orgs/o/checkouts/${checkout}/profile`,
    raw: { socket },
  } as unknown as FastifyRequest;
  return { request, socket, state };
}

/** Two client addresses with six checkouts, and how fast each form is sent. */
function holdAllSlots() {
  return Array.from({ length: 64 }, (_, index) => {
    const slotForm = form(`203.0.113.${index < 32 ? 1 : 2}`, `held-${Math.floor(index / 12)}`);
    takeSlot(slotForm.request, 0);
    slotForm.socket.bytesRead = index === 40 ? 1000 : 120_000;
    return slotForm;
  });
}

const release = (all: readonly ReturnType<typeof form>[]) => Promise.all(all.map(({ request }) => endUpload(request)));

test('slow forms that occupy all slots keep them for a minute, then the slowest is ended', async () => {
  const slow = holdAllSlots();
  const [firstUpload, secondUpload] = [form('198.51.100.7', 'paid'), form('198.51.100.8', 'other')];
  expect(() => takeSlot(firstUpload.request, 59_000)).toThrow('too-many-requests');
  expect(slow.filter(({ state }) => state.ended)).toEqual([]);
  takeSlot(firstUpload.request, 60_000);
  expect(slow.flatMap(({ state }, index) => (state.ended ? [index] : []))).toEqual([40]);
  takeSlot(secondUpload.request, 61_000);
  expect(slow.filter(({ state }) => state.ended)).toHaveLength(2);
  expect([firstUpload.state.ended, secondUpload.state.ended]).toEqual([false, false]);
  await release([...slow, firstUpload, secondUpload]);
});

test('another client behind the same address also gets a slot', async () => {
  const slow = holdAllSlots();
  const neighbor = form('203.0.113.1', 'neighbor');
  takeSlot(neighbor.request, 60_000);
  const endedForms = slow.flatMap(({ state }, index) => (state.ended ? [index] : []));
  expect(endedForms).toHaveLength(1);
  expect(endedForms[0]).toBeLessThan(32);
  await release([...slow, neighbor]);
});

test('the file of a form is closed if its sender leaves while it’s opened', async () => {
  const { request } = form('203.0.113.9', 'left');
  const openSpy = vi.spyOn(fs, 'open');
  const writing = saveUpload(request, Readable.from(['a photo']));
  await endUpload(request);
  await expect(writing).rejects.toThrow('The connection is closed.');
  const file = await openSpy.mock.results[0]?.value;
  openSpy.mockRestore();
  expect(file).toMatchObject({ fd: -1 });
});
