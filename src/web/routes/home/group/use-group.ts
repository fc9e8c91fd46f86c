import { useEffect, useState } from 'react';
import { ADD_TO_CART_SUFFIX, parseQuickEstimate } from '#contract/embed.ts';
import { pagePath } from '#contract/pages.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { CART_HASH, useCart } from '#web/cart/cart-store.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import type { CalculatorOrg } from '../calculator/calculator-input.ts';
import { estimateQuick } from '../calculator/lazy-estimates.ts';
import {
  calculateGroupTotal,
  GROUP_HASH,
  type GroupEstimate,
  type GroupInput,
  NO_GROUP,
  parseGroup,
  serializeGroup,
} from './group-estimate.ts';

/** The estimate in the address, or this browser's last estimate. Every change is written to both. */
export function useGroup(orgId: string) {
  const { replaceHash } = useNavigator();
  const [group, setGroup] = useState(NO_GROUP);
  /**
   * The serialized estimate that this estimate's cart lines contain, if there are any: the version last opened or
   * saved.
   */
  const [textInCart, setTextInCart] = useState('');
  useEffect(() => {
    const read = () => {
      const { hash } = window.location;
      const lastText = getLastEstimate(orgId).read() ?? '';
      const groupInAddress = hash.startsWith(GROUP_HASH) ? parseGroup(hash.slice(GROUP_HASH.length)) : undefined;
      const openGroup = groupInAddress ?? parseGroup(lastText) ?? NO_GROUP;
      const text = serializeGroup(openGroup);
      setGroup(openGroup);
      setTextInCart((text === lastText ? getEstimateInCart(orgId).read() : null) ?? text);
    };
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, [orgId]);
  const write = (newGroup: GroupEstimate, newTextInCart: string) => {
    setGroup(newGroup);
    setTextInCart(newTextInCart);
    const isEmpty = newGroup.rows.length === 0;
    const text = serializeGroup(newGroup);
    getLastEstimate(orgId).write(isEmpty ? null : text);
    getEstimateInCart(orgId).write(isEmpty ? null : newTextInCart);
    replaceHash(isEmpty ? '' : GROUP_HASH + text);
  };
  return {
    group,
    textInCart,
    change: (newGroup: GroupEstimate) =>
      write(newGroup, group.rows.length === 0 ? serializeGroup(newGroup) : textInCart),
    /** Must be called after saving the estimate's items to the cart. */
    markInCart: () => write(group, serializeGroup(group)),
  };
}

const getLastEstimate = (orgId: string) => getStoredText(`group:${orgId}`);
/** The estimate as saved in the cart. It is stored so that saving after a reload replaces those items. */
const getEstimateInCart = (orgId: string) => getStoredText(`group-in-cart:${orgId}`);

/** Adds an estimate made with the embedded calculator on another site to the cart, and opens the cart. */
export function useAddToCartLink({ id: orgId, factors }: CalculatorOrg): void {
  const cart = useCart(orgId);
  const { go, replaceHash } = useNavigator();
  useEffect(() => {
    const { hash } = window.location;
    if (!hash.startsWith(GROUP_HASH) || !hash.endsWith(ADD_TO_CART_SUFFIX)) return;
    const text = hash.slice(GROUP_HASH.length, -ADD_TO_CART_SUFFIX.length);
    // Going back must not add the estimate again.
    replaceHash('');
    const quick = parseQuickEstimate(text);
    const quickItem = quick && estimateQuick(quick, factors).item;
    const items = quickItem ? [quickItem] : calculateGroupTotal(parseGroup(text)?.rows ?? [], factors).items;
    const input = quick ? { tab: 'quick' as const, fields: quick } : ({ tab: 'group', text } satisfies GroupInput);
    for (const item of items) cart.put(item, input);
    const to = `${pagePath('home-page', { orgid: orgId })}#${CART_HASH}`;
    if (items.length > 0) void go(to, { replace: true });
  }, [orgId, factors, cart, go, replaceHash]);
}
