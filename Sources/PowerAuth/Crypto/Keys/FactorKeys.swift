/// The keys by which the factors of an authentication code are shown.
package struct FactorKeys: Sendable, Equatable {
    package let possession: SecretKey
    package let knowledge: SecretKey
    package let biometry: SecretKey

    package init(possession: SecretKey, knowledge: SecretKey, biometry: SecretKey) {
        self.possession = possession
        self.knowledge = knowledge
        self.biometry = biometry
    }

    package subscript(_ factor: AuthenticationFactor) -> SecretKey {
        switch factor {
        case .possession: possession
        case .knowledge: knowledge
        case .biometry: biometry
        }
    }
}
