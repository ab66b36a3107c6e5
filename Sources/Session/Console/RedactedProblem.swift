import Text
package import World

extension Problem {
  /// The problem as stderr may show it. Masked before it is formatted, because escapes would hide a credential.
  package func redacted(in world: World) -> Problem {
    var problem = self
    problem.message = world.redacted(message)
    problem.reason = reason.map(world.redacted)
    problem.hint = hint?.mapped(world.redacted)
    problem.details = details.map {
      Detail(parameter: $0.parameter.map(world.redacted), message: $0.message.map(world.redacted))
    }
    return problem
  }
}
