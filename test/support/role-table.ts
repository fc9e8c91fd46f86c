import type { Action, Role } from '#domain/permissions.ts';

/**
 * Permissions of each role in its organization, beyond those of every logged-in user (§6, decisions §4). Tests of the
 * permission table, of every call, and of the menu use this table, so a new role only needs an entry here.
 */
export const ROLE_TABLE: Readonly<
  Record<Role, { readonly allowedActions: readonly Action[]; readonly menu: readonly string[] }>
> = {
  editor: {
    allowedActions: [
      'area.visit',
      'org.edit',
      'org.change',
      'editors.read',
      'editors.manage',
      'editors.remove',
      'cells.edit',
      'stories.edit',
      'grants.read',
      'grants.edit',
      'grants.pay',
      'checkouts.read',
      'team-notes.edit',
      'recurring-gifts.stop',
      'checkouts.delete',
      'payments.refund',
      'attention.resolve',
      'checks.read',
      'checks.manage',
      'receipts.read',
      'receipts.send',
      'donors.read',
      'donors.manage',
      'donors.download',
      'ledger.download',
      'books.read',
      'books.reconcile',
      'overview.read',
      'activity.read',
    ],
    menu: ['Overview', 'Org settings', 'Edit pages', 'Checkouts', 'Editors'],
  },
  texts: {
    allowedActions: ['area.visit', 'editors.read', 'cells.edit'],
    menu: ['Overview', 'Edit pages', 'Editors'],
  },
  stories: {
    allowedActions: ['area.visit', 'editors.read', 'stories.edit', 'grants.read', 'grants.edit'],
    menu: ['Overview', 'Editors'],
  },
  money: {
    allowedActions: [
      'area.visit',
      'editors.read',
      'checkouts.read',
      'team-notes.edit',
      'recurring-gifts.stop',
      'payments.refund',
      'attention.resolve',
      'checks.read',
      'checks.manage',
      'grants.read',
      'grants.pay',
      'receipts.read',
      'receipts.send',
      'donors.read',
      'donors.manage',
      'donors.download',
      'ledger.download',
      'books.read',
      'books.reconcile',
      'overview.read',
      'activity.read',
    ],
    menu: ['Overview', 'Checkouts', 'Editors'],
  },
  reader: {
    allowedActions: [
      'area.visit',
      'editors.read',
      'checkouts.read',
      'checks.read',
      'grants.read',
      'receipts.read',
      'donors.read',
      'donors.download',
      'ledger.download',
      'books.read',
      'overview.read',
      'activity.read',
    ],
    menu: ['Overview', 'Checkouts', 'Editors'],
  },
};

export const roleAllows = (role: Role, action: Action): boolean => ROLE_TABLE[role].allowedActions.includes(action);
