//! Network addresses: stored as the text that they display, `127.0.0.1` and `[::1]:80`. The text of
//! a `SocketAddrV6` lacks the flow information, so that is appended: `[fe80::1%3]:80;flowinfo=7`.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::fmt;

use crate::types::proxy::stored_as_text;

/// The text before the flow information.
const FLOW: &str = ";flowinfo=";

struct V6<'a>(&'a SocketAddrV6);

impl fmt::Display for V6<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        match self.0.flowinfo() {
            0 => Ok(()),
            flow => write!(f, "{FLOW}{flow}"),
        }
    }
}

struct Socket<'a>(&'a SocketAddr);

impl fmt::Display for Socket<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            SocketAddr::V4(v4) => v4.fmt(f),
            SocketAddr::V6(v6) => V6(v6).fmt(f),
        }
    }
}

fn parse_v6(text: &str) -> Option<SocketAddrV6> {
    let Some((address, flow)) = text.split_once(FLOW) else { return text.parse().ok() };
    let mut address: SocketAddrV6 = address.parse().ok()?;
    address.set_flowinfo(flow.parse().ok().filter(|_| !flow.starts_with('+'))?);
    Some(address)
}

fn parse(text: &str) -> Option<SocketAddr> {
    let v4 = || text.parse().ok().map(SocketAddr::V4);
    parse_v6(text).map(SocketAddr::V6).or_else(v4)
}

const HERE: Ipv4Addr = Ipv4Addr::UNSPECIFIED;
const HERE_V6: SocketAddrV6 = SocketAddrV6::new(Ipv6Addr::UNSPECIFIED, 0, 0, 0);

stored_as_text! {
    IpAddr: "an IP address" {
        save: |address| address,
        load: |text| text.parse().ok(),
        blank: |_| IpAddr::V4(HERE),
    }
    Ipv4Addr: "an IPv4 address" {
        save: |address| address,
        load: |text| text.parse().ok(),
        blank: |_| HERE,
    }
    Ipv6Addr: "an IPv6 address" {
        save: |address| address,
        load: |text| text.parse().ok(),
        blank: |_| Ipv6Addr::UNSPECIFIED,
    }
    SocketAddr: "an IP address with a port" {
        save: |address| Socket(address),
        load: parse,
        blank: |_| SocketAddr::V4(SocketAddrV4::new(HERE, 0)),
    }
    SocketAddrV4: "an IPv4 address with a port" {
        save: |address| address,
        load: |text| text.parse().ok(),
        blank: |_| SocketAddrV4::new(HERE, 0),
    }
    SocketAddrV6: "an IPv6 address in brackets with a port" {
        save: |address| V6(address),
        load: parse_v6,
        blank: |_| HERE_V6,
    }
}
