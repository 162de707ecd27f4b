/// How one attempt of a callback went.
package struct CallbackAttempt: Sendable, Equatable {
    /// Counted from 1.
    package let number: Int
    /// Nil when nobody answered.
    package let status: Int?
    package let milliseconds: Double
    /// What went wrong, for the middle of a sentence; nil for a success.
    package let failure: String?
    /// Whether no attempt follows.
    package let isLast: Bool

    package init(number: Int, status: Int?, milliseconds: Double, failure: String?, isLast: Bool) {
        (self.number, self.status, self.milliseconds) = (number, status, milliseconds)
        (self.failure, self.isLast) = (failure, isLast)
    }
}
