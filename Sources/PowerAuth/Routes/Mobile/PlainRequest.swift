import Essentials
import HTTP

extension Request {
    /// The member `requestObject` of a plain body; nil when the body is empty, no JSON object, or has none.
    var requestObject: [String: JSONValue]? {
        // Whatever is malformed is a missing object to the endpoints, and each says so in its own words.
        (try? JSONValue(parsing: body))?["requestObject"]?.object
    }
}
