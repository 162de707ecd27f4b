import OpenID

/// What came of a device's call, as its transaction of the database leaves it.
///
/// A refusal is returned out of that transaction and thrown behind it: what it counted must stay.
struct HandlingOutcome<Value: Sendable>: Sendable {
    var result: Result<Value, any Error>
    /// The transaction, if this call ended it: its portal is to be told.
    var ended: MobileTransaction?

    init(_ value: Value, ended: MobileTransaction? = nil) {
        (result, self.ended) = (.success(value), ended)
    }

    init(_ refusal: any OAuthRefusal, ended: MobileTransaction? = nil) {
        (result, self.ended) = (.failure(refusal), ended)
    }
}
