//! Which requests are answered: those of the page itself, opened under a loopback name.
//!
//! Another site cannot read answers of this server, but without these checks it could make the browser send
//! requests (cross-site requests), or reach the server under a name of its own that resolves to 127.0.0.1 (DNS
//! rebinding).

use crate::{
    app::App,
    problem::{MAX_BODY, Problem},
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::{sync::Arc, time::Duration};

/// The longest time until an answer begins. Tables of an ending take the most.
const TIME: Duration = Duration::from_secs(120);

/// Nothing but the files of this server may be loaded.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses requests of other sites, limits the time, and adds the headers that every answer has.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut answer = match check(&request, app.port) {
        Ok(()) => tokio::time::timeout(TIME, next.run(request)).await.unwrap_or_else(|_| {
            Problem::Busy("the answer takes too long; try again later").into_response()
        }),
        Err(problem) => problem.into_response(),
    };
    for (name, value) in HEADERS {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

fn check(request: &Request, port: u16) -> Result<(), Problem> {
    let headers = request.headers();
    let host =
        single(headers, &header::HOST)?.ok_or(Problem::Refused("the request has no Host"))?;
    if !is_own_host(host, port) {
        return Err(Problem::Refused("this server answers only as 127.0.0.1, localhost or [::1]"));
    }
    if request.uri().authority().is_some_and(|name| !is_own_host(name.as_str(), port)) {
        return Err(Problem::Refused("the address of the request names another host"));
    }
    if let Some(origin) = single(headers, &header::ORIGIN)?
        && origin.strip_prefix("http://") != Some(host)
    {
        return Err(Problem::Refused("requests of other sites are refused"));
    }
    let length = single(headers, &header::CONTENT_LENGTH)?.and_then(|length| length.parse().ok());
    if length.is_some_and(|length: u64| length > MAX_BODY as u64) {
        return Err(Problem::TooLong);
    }
    match *request.method() {
        // A link to the page may stand on any site; its files and answers belong to the page.
        Method::GET | Method::HEAD if request.uri().path() == "/" => Ok(()),
        Method::GET | Method::HEAD => same_site(headers),
        _ => {
            same_site(headers)?;
            let kind = single(headers, &header::CONTENT_TYPE)?.unwrap_or_default();
            let kind = kind.split(';').next().unwrap_or_default().trim();
            match kind.eq_ignore_ascii_case("application/json") {
                true => Ok(()),
                false => Err(Problem::Refused("only requests in application/json are answered")),
            }
        }
    }
}

/// Browsers say where a request comes from; other programs need not.
fn same_site(headers: &HeaderMap) -> Result<(), Problem> {
    match single(headers, &HeaderName::from_static("sec-fetch-site"))? {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) => Err(Problem::Refused("requests of other sites are refused")),
    }
}

/// The value of a header that may stand only once.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Problem> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(Problem::Refused("a header of the request stands twice"));
    }
    match value.map(HeaderValue::to_str) {
        None => Ok(None),
        Some(Ok(value)) => Ok(Some(value)),
        Some(Err(_)) => Err(Problem::Refused("a header of the request is not text")),
    }
}

/// Whether a host is the loopback address, with the port of the server.
fn is_own_host(host: &str, port: u16) -> bool {
    let names = ["127.0.0.1", "localhost", "[::1]"];
    names.iter().any(|name| match host.strip_prefix(name) {
        Some("") => port == 80,
        Some(rest) => rest.strip_prefix(':') == Some(port.to_string().as_str()),
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_with_the_port_are_own() {
        for host in ["127.0.0.1:8064", "localhost:8064", "[::1]:8064"] {
            assert!(is_own_host(host, 8064), "{host}");
        }
        let foreign = "|127.0.0.1|localhost|localhost:80|evil.example:8064|127.0.0.1.evil:8064|localhost:8064.evil|\
            localhost:8064:8064|user@localhost:8064|0.0.0.0:8064|LOCALHOST.:8064|localhost:08064";
        for host in foreign.split('|') {
            assert!(!is_own_host(host, 8064), "{host}");
        }
        assert!(is_own_host("localhost", 80));
    }
}
