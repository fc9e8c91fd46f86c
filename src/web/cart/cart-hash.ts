/** What follows the home page's address to show the cart there. It is the id of the card that holds it. */
export const CART_HASH = 'cart';
