/// What a user shows; codes name factors in this order.
package enum AuthenticationFactor: String, Sendable, CaseIterable {
    case possession
    case knowledge
    case biometry
}
