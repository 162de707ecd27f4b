import Essentials

extension JSONValue {
    /// The member `name`, also when the client wrote it in other case: `clientDataJson`. The exact spelling wins.
    ///
    /// Source: Go's package encoding/json, with which the original reads.
    func member(_ name: String) -> JSONValue? {
        guard let object else { return nil }
        if let exact = object[name] { return exact }
        let wanted = name.lowercased()
        return object.filter { $0.key.lowercased() == wanted }.min { $0.key < $1.key }?.value
    }
}
