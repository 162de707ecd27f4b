/// Version of the mobile protocol that one request speaks. It is a property of the request, never of the activation.
package enum ProtocolVersion: String, Sendable, CaseIterable {
    case v30 = "3.0"
    case v31 = "3.1"
    case v32 = "3.2"
    case v33 = "3.3"
}
