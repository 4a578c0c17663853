# For Varnish 7, behind the proxy that terminates TLS: docs/operations/cdn.md
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "4000";
    # pages may wait for their sites, and event streams send something every 15 s
    .first_byte_timeout = 15s;
    .between_bytes_timeout = 30s;
}

# who may send purges: the gateways
acl gateways {
    "localhost";
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    # set below, and by no client
    if (req.restarts == 0) {
        unset req.http.X-Embed-Host;
        unset req.http.X-Embed-Stale;
    }

    # PURGE_URL=http://127.0.0.1:6081/purge
    if (req.method == "POST" && req.url == "/purge" && req.http.Surrogate-Key) {
        # Varnish adds the client's address: with two, a proxy has forwarded the request of another client
        if (client.ip !~ gateways || req.http.X-Forwarded-For ~ ",") {
            return (synth(403));
        }
        # keys are letters, digits and hyphens
        if (req.http.Surrogate-Key !~ "^[a-z0-9 -]+$") {
            return (synth(400));
        }
        ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.Surrogate-Key, " +", "|") + ")(\s|$)");
        return (synth(204));
    }

    # only embeds are cached: their hosts begin with an id
    if (req.http.Host !~ "^(?i)[0-9a-z]{26}\." || (req.method != "GET" && req.method != "HEAD") || req.http.Origin) {
        return (pass);
    }
    # the service ignores the case of a host, its port, and the query string of a page
    set req.http.X-Embed-Host = regsub(std.tolower(req.http.Host), "\.?(:[0-9]+)?$", "");
    set req.url = regsub(req.url, "\?.*$", "");
    # an expired page is shown for 1 s while it is confirmed, and after an error as long as it is stored
    if (!req.http.X-Embed-Stale) {
        set req.grace = 1s;
    }
    return (hash);
}

sub vcl_hash {
    hash_data(req.url);
    hash_data(req.http.X-Embed-Host);
    return (lookup);
}

sub vcl_backend_fetch {
    unset bereq.http.X-Embed-Host;
    unset bereq.http.X-Embed-Stale;
}

sub vcl_backend_error {
    if (bereq.is_bgfetch) {
        return (abandon);
    }
}

sub vcl_backend_response {
    if (beresp.status >= 500) {
        # what is stored stays
        if (bereq.is_bgfetch) {
            return (abandon);
        }
        set beresp.ttl = 0s;
        set beresp.grace = 0s;
        set beresp.uncacheable = true;
        return (deliver);
    }
    if (beresp.http.CDN-Cache-Control ~ "max-age=[1-9]") {
        set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s);
        set beresp.grace = 0s;
        if (beresp.http.CDN-Cache-Control ~ "stale-if-error=") {
            set beresp.grace = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=([0-9]+).*$", "\1s"), 0s);
        }
        return (deliver);
    }
    # pages that are about to change, and pictures, which browsers cache
    set beresp.ttl = 0s;
    set beresp.uncacheable = true;
    return (deliver);
}

sub vcl_deliver {
    if (resp.status >= 500 && req.http.X-Embed-Host && !req.http.X-Embed-Stale) {
        set req.http.X-Embed-Stale = "1";
        set req.grace = 24h;
        return (restart);
    }
    if (obj.hits == 0) {
        set resp.http.X-Cache-Status = "MISS";
    } elsif (req.http.X-Embed-Stale) {
        set resp.http.X-Cache-Status = "STALE";
    } else {
        set resp.http.X-Cache-Status = "HIT";
    }
    unset resp.http.X-Accel-Expires;
    # only purges need the keys, and they show which embeds belong together
    unset resp.http.Surrogate-Key;
    unset resp.http.Cache-Tag;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
}
