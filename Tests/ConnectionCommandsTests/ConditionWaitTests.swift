import IFTTT
import ProgramDriver
import Testing

@testable import ConnectionCommands
@testable import Session

/// The state machine of `connections wait`: which results arrive at which time, and which action follows.
@Suite struct ConditionWaitTests {
  private static let outage = Problem(.serverError, "IFTTT failed")

  private static func machine(_ ids: [ConnectionID], until end: Duration = .seconds(60)) throws -> ConditionWait {
    let conditions = [try WaitCondition(parsing: "status=enabled"), try WaitCondition(parsing: "pending=false")]
    return ConditionWait(for: conditions, of: ids, PollSchedule(every: .seconds(5), until: end))
  }

  private static func found(_ status: Connection.Status, pending: Bool = false) -> PollResult<WaitCondition.Facts> {
    .found(WaitCondition.Facts(status: status, isPending: pending, name: "n", enabledCount: 1))
  }

  @Test func aConditionMetAtFirstNeedsOnePoll() throws {
    var wait = try Self.machine([ConnectionID.aa])
    #expect(wait.next(at: .zero, random: 0.5) == .poll([ConnectionID.aa], limit: .seconds(30)))
    let isMet = wait.receive(Self.found(.enabled), of: ConnectionID.aa)
    #expect(isMet)
    #expect(wait.next(at: .seconds(1), random: 0.5) == .end(.met))
  }

  @Test func allConditionsMustHoldAtTheSameTime() throws {
    var wait = try Self.machine([ConnectionID.aa])
    _ = wait.next(at: .zero, random: 0.5)
    let isMet = wait.receive(Self.found(.enabled, pending: true), of: ConnectionID.aa)
    #expect(!isMet)
    #expect(wait.next(at: .zero, random: 0.5) == .pause(.seconds(5)))
    #expect(wait.next(at: .seconds(5), random: 0.5) == .poll([ConnectionID.aa], limit: .seconds(30)))
  }

  @Test func doesNotPollAConnectionThatMetTheConditions() throws {
    var wait = try Self.machine([ConnectionID.aa, ConnectionID.bb])
    _ = wait.next(at: .zero, random: 0.5)
    _ = wait.receive(Self.found(.enabled), of: ConnectionID.bb)
    _ = wait.receive(Self.found(.disabled), of: ConnectionID.aa)
    _ = wait.next(at: .zero, random: 0.5)
    #expect(wait.next(at: .seconds(5), random: 0.5) == .poll([ConnectionID.aa], limit: .seconds(30)))
    _ = wait.receive(Self.found(.enabled), of: ConnectionID.aa)
    #expect(wait.next(at: .seconds(6), random: 0.5) == .end(.met))
  }

  @Test func failuresSlowDownPolling() throws {
    var wait = try Self.machine([ConnectionID.aa])
    _ = wait.next(at: .zero, random: 0.5)
    _ = wait.receive(.failed(Self.outage, retryAfter: .seconds(17)), of: ConnectionID.aa)
    #expect(wait.next(at: .zero, random: 0.5) == .pause(.seconds(17)))
    _ = wait.next(at: .seconds(17), random: 0.5)
    _ = wait.receive(.failed(Self.outage, retryAfter: nil), of: ConnectionID.aa)
    #expect(wait.next(at: .seconds(17), random: 0.5) == .pause(.seconds(20)))
    #expect(wait.next(at: .seconds(37), random: 0.5) == .poll([ConnectionID.aa], limit: .seconds(23)))
    _ = wait.receive(Self.found(.enabled), of: ConnectionID.aa)
    #expect(wait.next(at: .seconds(38), random: 0.5) == .end(.met))
  }

  @Test func anUnknownIDOrRejectedCredentialsEndTheWait() throws {
    let missing = Problem(.notFound, "no connection 'bb'")
    for result in [PollResult<WaitCondition.Facts>.missing(missing), .refused(missing)] {
      var wait = try Self.machine([ConnectionID.aa, ConnectionID.bb])
      _ = wait.next(at: .zero, random: 0.5)
      _ = wait.receive(Self.found(.disabled), of: ConnectionID.aa)
      _ = wait.receive(result, of: ConnectionID.bb)
      #expect(wait.next(at: .zero, random: 0.5) == .end(.failed(missing, of: ConnectionID.bb)))
    }
  }

  @Test func theTimeoutErrorNamesUnmetConditions() throws {
    var wait = try Self.machine([ConnectionID.aa, ConnectionID.bb], until: .zero)
    #expect(wait.next(at: .zero, random: 0.5) == .poll([ConnectionID.aa, ConnectionID.bb], limit: .seconds(30)))
    _ = wait.receive(Self.found(.disabled, pending: true), of: ConnectionID.aa)
    _ = wait.receive(.failed(Self.outage, retryAfter: nil), of: ConnectionID.bb)
    #expect(wait.next(at: .seconds(2), random: 0.5) == .end(.timedOut))
    #expect(wait.waiting == [ConnectionID.aa, ConnectionID.bb])
    #expect(wait.timeoutProblem.code == .notYet)
    #expect(wait.timeoutProblem.message == "timed out waiting for 2 of 2 connections")
    #expect(
      wait.timeoutProblem.details == [
        Problem.Detail(
          parameter: "aa",
          message: "status is disabled, expected status=enabled; pending is true, expected pending=false"),
        Problem.Detail(parameter: "bb", message: "IFTTT failed"),
      ])
  }

  @Test func aFailureDoesNotReplaceAnEarlierResult() throws {
    var wait = try Self.machine([ConnectionID.aa], until: .seconds(5))
    _ = wait.next(at: .zero, random: 0.5)
    _ = wait.receive(Self.found(.neverEnabled), of: ConnectionID.aa)
    #expect(wait.next(at: .zero, random: 0.5) == .pause(.seconds(4)))
    _ = wait.next(at: .seconds(4), random: 0.5)
    _ = wait.receive(.failed(Self.outage, retryAfter: nil), of: ConnectionID.aa)
    #expect(wait.next(at: .seconds(4), random: 0.5) == .end(.timedOut))
    #expect(wait.timeoutProblem.reason == "status is never_enabled, expected status=enabled")
  }
}
