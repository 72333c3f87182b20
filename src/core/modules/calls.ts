import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { ExpandCalls } from '../calls/expand.js';
import { CallSeats } from '../calls/seats.js';
import { IssueJoinToken, ReadCalls, SendSignal, StartCall } from '../calls/use-cases.js';
import { Addresses } from '../platforms/addresses.js';
import * as ports from './tokens.js';

/** The use cases of calls. */
export const callUseCases = new ContainerModule((options) => {
  bindCalls(options);
});

function bindCalls({ bind }: ContainerModuleLoadOptions): void {
  bind(StartCall).toResolvedValue(
    (store, addresses) => new StartCall(store, addresses),
    [ports.CallStore, Addresses],
  );
  bind(ReadCalls).toResolvedValue((store) => new ReadCalls(store), [ports.CallStore]);
  bind(ExpandCalls).toResolvedValue(
    (conversations) => new ExpandCalls(conversations),
    [ports.ConversationStore],
  );
  bind(IssueJoinToken).toResolvedValue(
    (store, tokens, publicUrl) => new IssueJoinToken(store, tokens, publicUrl),
    [ports.CallStore, ports.JoinTokens, ports.PublicUrl],
  );
  bind(SendSignal).toResolvedValue((store) => new SendSignal(store), [ports.CallStore]);
  bind(CallSeats).toResolvedValue(
    (store, tokens) => new CallSeats(store, tokens),
    [ports.CallStore, ports.JoinTokens],
  );
}
