import { EventEmitter } from 'node:events';
import fs from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { createSlotReserver, endUpload, saveUpload } from '#server/http/uploads.ts';

const reserveUploadSlot = createSlotReserver();

/** A fake connection that sends a form. */
function createForm(ip: string, checkout: string) {
  const state = { isEnded: false };
  const destroy = () => {
    state.isEnded = true;
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

/** Occupies all slots from two client addresses with six checkouts; form 40 is the slowest. */
function occupyAllSlots() {
  return Array.from({ length: 64 }, (_, index) => {
    const slotForm = createForm(`203.0.113.${index < 32 ? 1 : 2}`, `held-${Math.floor(index / 12)}`);
    reserveUploadSlot(slotForm.request, 0);
    slotForm.socket.bytesRead = index === 40 ? 1000 : 120_000;
    return slotForm;
  });
}

const releaseSlots = (forms: readonly ReturnType<typeof createForm>[]) =>
  Promise.all(forms.map(({ request }) => endUpload(request)));

test('slow forms that occupy all slots keep them for a minute, then the slowest is ended', async () => {
  const slowForms = occupyAllSlots();
  const [firstUpload, secondUpload] = [createForm('198.51.100.7', 'paid'), createForm('198.51.100.8', 'other')];
  expect(() => reserveUploadSlot(firstUpload.request, 59_000)).toThrow('too-many-requests');
  expect(slowForms.filter(({ state }) => state.isEnded)).toEqual([]);
  reserveUploadSlot(firstUpload.request, 60_000);
  expect(slowForms.flatMap(({ state }, index) => (state.isEnded ? [index] : []))).toEqual([40]);
  reserveUploadSlot(secondUpload.request, 61_000);
  expect(slowForms.filter(({ state }) => state.isEnded)).toHaveLength(2);
  expect([firstUpload.state.isEnded, secondUpload.state.isEnded]).toEqual([false, false]);
  await releaseSlots([...slowForms, firstUpload, secondUpload]);
});

test('another client behind the same address also gets a slot', async () => {
  const slowForms = occupyAllSlots();
  const neighbor = createForm('203.0.113.1', 'neighbor');
  reserveUploadSlot(neighbor.request, 60_000);
  const endedForms = slowForms.flatMap(({ state }, index) => (state.isEnded ? [index] : []));
  expect(endedForms).toHaveLength(1);
  expect(endedForms[0]).toBeLessThan(32);
  await releaseSlots([...slowForms, neighbor]);
});

test('a form’s file is closed if its sender disconnects while the file is being opened', async () => {
  const { request } = createForm('203.0.113.9', 'left');
  reserveUploadSlot(request);
  const openSpy = vi.spyOn(fs, 'open');
  const saving = saveUpload(request, Readable.from(['a photo']));
  await endUpload(request);
  await expect(saving).rejects.toThrow('The connection is closed.');
  const file = await openSpy.mock.results[0]?.value;
  openSpy.mockRestore();
  expect(file).toMatchObject({ fd: -1 });
});
